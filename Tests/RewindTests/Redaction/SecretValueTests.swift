import Rewind
import Testing

struct SecretValueTests {
    @Test(
        "A unique value is distinctive",
        arguments: [
            "hunter22", "a1b2c3", "0123456789", "correct horse", "пароль", "pässwört", "passwords1", "aaaaab",
            "secret-7",
            "12345a", "<user1", "user:1>",
        ]
    )
    func distinctive(_ value: String) {
        #expect(SecretValue.isDistinctive(value))
    }

    @Test(
        "A value with possible other meanings is not distinctive",
        arguments: [
            "", "a", "12345", "abcde", "password", "Password", "SECRET", "string", "bearer", "undefined",
            "localhost",
            "example", "000000", "123456789", "xxxxxxxxxxxx", "REDACTEDuserN1X",
            "Bearer REDACTEDuserN1X", "éé", Placeholder(name: "a", number: 1).jwtText(),
        ]
    )
    func common(_ value: String) {
        #expect(!SecretValue.isDistinctive(value))
    }
}
