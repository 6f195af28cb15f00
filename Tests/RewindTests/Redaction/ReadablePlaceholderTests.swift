import Foundation
import Testing

@testable import Rewind

struct ReadablePlaceholderTests {
    @Test(
        "Placeholders in a URL are shown without encoding",
        arguments: [
            (
                "https://h/a?access_token=REDACTEDaccessTokenN1X&b=1",
                "https://h/a?access_token=<accessToken:1>&b=1"
            ),
            ("https://h/REDACTEDidN2X/REDACTEDidN12X#x", "https://h/<id:2>/<id:12>#x"),
            ("https://h/a?key=%3CAPI_KEY%3E&x=%3ca.b%3e", "https://h/a?key=<API_KEY>&x=<a.b>"),
            (
                "https://h/a?t=" + Placeholder(name: "id_token", number: 3).jwtText() + "&b=%20",
                "https://h/a?t=<idToken:3>&b=%20"
            ),
            ("https://h/a?q=%3C%3E&r=%3Ca%20b%3E&s=%3Ca", "https://h/a?q=%3C%3E&r=%3Ca%20b%3E&s=%3Ca"),
            ("https://h/a?b=1", "https://h/a?b=1"), ("", ""),
        ]
    )
    func urls(_ url: String, _ shown: String) {
        let request = Interaction.Request(url: url)
        #expect(request.readableURL == shown)
        #expect(request.description == "GET \(shown)")
        #expect(request.url == url)
    }
}
