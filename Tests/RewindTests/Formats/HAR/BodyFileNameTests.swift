import Foundation
import Testing

@testable import Rewind

struct BodyFileNameTests {
    private func name(
        _ number: Int = 3,
        _ message: BodyFileName.Message = .response,
        method: String = "GET",
        url: String = "https://h/avatar",
        type: String? = "image/png"
    ) -> String {
        let request = Interaction.Request(method: method, url: url)
        return BodyFileName(number, message, of: request, mediaType: type).candidates[0]
    }

    @Test(
        "A body file name contains the number, the method and the last path component",
        arguments: [
            ("https://h/users/avatar.jpeg?size=2#top", "003-GET-avatar.png"),
            ("https://h/users/avatar", "003-GET-avatar.png"),
            ("https://h/users/", "003-GET-users.png"),
            ("https://h/", "003-GET.png"),
            ("https://h", "003-GET.png"),
            ("", "003-GET.png"),
            ("https://h/archive.tar.gz", "003-GET-archive-tar.png"),
            ("https://h/Gr%C3%B6%C3%9Fe%20XL", "003-GET-Gr-e-XL.png"),
            ("https://h/..%2F..%2Fetc%2Fpasswd", "003-GET-etc-passwd.png"),
            ("https://h/a%00b%0Ac", "003-GET-a-b-c.png"),
            ("https://h/100%", "003-GET-100.png"),
            ("https://h/%FF", "003-GET-FF.png"),
            ("https://h/---", "003-GET.png"),
            ("https://h/a_b-c:d*e|f\"g<h>", "003-GET-a_b-c-d-e-f-g-h.png"),
            (
                "https://h/" + String(repeating: "x", count: 300),
                "003-GET-" + String(repeating: "x", count: 40) + ".png"
            ),
            (
                "https://h/" + String(repeating: "x", count: 39) + "-yy",
                "003-GET-" + String(repeating: "x", count: 39) + ".png"
            ),
        ] as [(String, String)]
    )
    func subjects(_ url: String, _ expected: String) {
        #expect(name(url: url) == expected)
        #expect(BodyFileName.isOne(expected))
    }

    @Test(
        "The number in a body file name has at least three digits",
        arguments: [(1, "001"), (42, "042"), (1000, "1000")]
    )
    func numbers(_ number: Int, _ digits: String) {
        #expect(name(number) == "\(digits)-GET-avatar.png")
    }

    @Test(
        "Unusual methods result in valid file names",
        arguments: [
            ("post", "003-post-avatar.png"), ("", "003-avatar.png"), ("../x", "003-x-avatar.png"),
            ("M-SEARCH", "003-M-SEARCH-avatar.png"),
        ]
    )
    func methods(_ method: String, _ expected: String) {
        #expect(name(method: method) == expected)
        #expect(BodyFileName.isOne(expected))
    }

    @Test("The file name of a request body has a suffix")
    func request() {
        #expect(name(7, .request, method: "POST", type: "application/json") == "007-POST-avatar-request.json")
    }

    @Test(
        "The media type determines the file extension",
        arguments: [
            ("image/png", "png"), ("IMAGE/JPEG; q=1", "jpg"), ("application/json; charset=utf-8", "json"),
            ("application/problem+json", "json"), ("application/atom+xml", "xml"), ("image/svg+xml", "svg"),
            ("text/html", "html"), ("text/event-stream", "txt"), ("application/octet-stream", "bin"),
            ("../../etc", "bin"), ("nonsense", "bin"), ("", "bin"), (nil, "bin"),
        ] as [(String?, String)]
    )
    func extensions(_ type: String?, _ expected: String) {
        #expect(name(type: type) == "003-GET-avatar." + expected)
    }

    @Test("If the best name is taken, there are other unique names")
    func candidates() {
        let candidates = BodyFileName(3, .response, of: Interaction.Request(url: "https://h/a"), mediaType: nil)
            .candidates
        #expect(candidates.prefix(3) == ["003-GET-a.bin", "003-GET-a-2.bin", "003-GET-a-3.bin"])
        #expect(candidates.contains("003-GET.bin"))
        #expect(Set(candidates).count == candidates.count)
        #expect(candidates.allSatisfy(BodyFileName.isOne))
    }

    @Test(
        "Other file names are not body file names",
        arguments: [
            "", ".", "..", "003", "003-GET", "avatar.png", "03-GET-a.png", "003GET.png", "003-GET-a.tar.gz",
            "003-GET-a.", ".003-GET-a.png", "003-GET a.png", "003-GET-ä.png", "003-GET-a.p-g", "003-GET/a.png",
            "talk.har", ".rewind-1.tmp", "notes.txt", "2024-01-01.txt~",
        ]
    )
    func others(_ name: String) {
        #expect(!BodyFileName.isOne(name))
    }
}
