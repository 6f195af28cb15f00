import Foundation
import Testing

@testable import Rewind

struct ChaCha20Tests {
    @Test("Encrypts the example of RFC 8439 section 2.4.2")
    func example() throws {
        let text = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
            """
        let nonce = Data([0, 0, 0, 0, 0, 0, 0, 0x4A, 0, 0, 0, 0])
        let cipher = try #require(ChaCha20(key: Data(0..<32), nonce: nonce, counter: 1))
        let encrypted = cipher.applied(to: Data(text.utf8))
        let expected = """
            6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357
            1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736
            5af90bbf74a35be6b40b8eedf2785e42874d
            """.filter { !$0.isNewline }
        #expect(encrypted.map { Hexadecimal.text($0, digits: 2) }.joined() == expected)
    }

    @Test("Decrypts texts of any length", arguments: [0, 1, 63, 64, 65, 1000])
    func lengths(_ count: Int) throws {
        let cipher = try #require(ChaCha20(key: Data(repeating: 7, count: 32)))
        let text = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let encrypted = cipher.applied(to: text)
        #expect(count == 0 || encrypted != text)
        #expect(cipher.applied(to: encrypted) == text)
    }

    @Test("A key of another length is rejected")
    func keys() { #expect(ChaCha20(key: Data(count: 31)) == nil) }
}
