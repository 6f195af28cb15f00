import Foundation
import Rewind
import Testing

struct PlaceholderTests {
    @Test(
        "A placeholder consists of ASCII letters and digits: its name in camel case, and a number",
        arguments: [
            ("access_token", "REDACTEDaccessTokenN1X"), ("X-Api-Key", "REDACTEDxApiKeyN1X"),
            ("accessToken", "REDACTEDaccessTokenN1X"), ("API_KEY", "REDACTEDapiKeyN1X"),
            ("user[name]", "REDACTEDuserNameN1X"), ("é<>:%", "REDACTEDsecretN1X"), ("", "REDACTEDsecretN1X"),
            ("a\r\nb", "REDACTEDaBN1X"), ("password2", "REDACTEDpassword2N1X"),
            ("X-N1-Token", "REDACTEDxn1TokenN1X"),
            ("endsInN", "REDACTEDendsInnN1X"), ("N", "REDACTEDnN1X"),
        ]
    )
    func names(_ name: String, _ text: String) {
        let placeholder = Placeholder(name: name, number: 1)
        #expect(placeholder.text == text)
        #expect(Placeholder(text) == placeholder)
        #expect(Placeholder(name: placeholder.name, number: 1) == placeholder)
    }

    @Test("The text is the same under every encoding that an app applies to it")
    func encodings() throws {
        let text = Placeholder(name: "refresh_token", number: 12).text
        #expect(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) == text)
        #expect(String(decoding: try JSONEncoder().encode([text]), as: UTF8.self) == "[\"\(text)\"]")
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("A placeholder ends after its number, even before other letters and digits")
    func delimiters() {
        let (first, second) = (Placeholder(name: "token", number: 1), Placeholder(name: "token", number: 12))
        let text = "\(first.text)7\(second.text)x\(first.text)REDACTED\(second.text)"
        #expect(Placeholder.placeholders(in: text) == [first, second, first, second])
        #expect(Placeholder(name: "abc", number: 0).text + "1" != Placeholder(name: "abc", number: 1).text)
    }

    @Test("A placeholder number is never negative")
    func negative() {
        #expect(Placeholder(name: "a", number: -4).text == "REDACTEDaN0X")
    }

    @Test(
        "Other text is not a placeholder",
        arguments: [
            "", "REDACTED", "REDACTEDuser", "REDACTEDuserN", "REDACTEDuserN1", "REDACTEDuserNX",
            "REDACTEDuserN01X",
            "redacteduserN1X", "REDACTEDuserN99999999999X", "REDACTED userN1X", "REDACTEDN1X",
            "xREDACTEDuserN1X",
            "REDACTEDuserN1Xx", "REDACTEDuser_nameN1X", "<user:1>",
        ]
    )
    func others(_ text: String) {
        #expect(Placeholder(text) == nil)
    }

    @Test("A text that the user chose has no number and stays unchanged")
    func chosen() {
        let placeholder = Placeholder(chosen: "<API_KEY>")
        #expect(placeholder.text == "<API_KEY>")
        #expect(placeholder.number == nil)
    }

    @Test("A placeholder that the user chose is not an element of XML when it is redacted again")
    func chosenInMarkup() {
        var redaction = Redaction.default
        redaction.replace("s3cr3t+Value/42=", with: "<API_KEY>")
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/",
            headers: ["Content-Type": "application/json", "X-Note": #"{"k": "s3cr3t+Value/42="}"#],
            body: Interaction.Body(#"{"apiKey": "s3cr3t+Value/42=", "page": "one-and-two-3"}"#)
        )
        let once = Redactor(redaction).redact(request)
        #expect(once.body == Interaction.Body(#"{"apiKey": "<API_KEY>", "page": "one-and-two-3"}"#))
        #expect(once.headers["X-Note"] == #"{"k": "<API_KEY>"}"#)
        #expect(Redactor(redaction).redact(once) == once)
    }
}
