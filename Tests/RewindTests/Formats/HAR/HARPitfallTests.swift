import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Deviations from the specification in archives of real browsers and proxies.
struct HARPitfallTests {
    private func interaction(
        request: String = "",
        response: String = #""status": 200"#,
        members: String = ""
    ) throws -> Interaction {
        try HARSamples.interaction(
            HARSamples.entry(
                request: #"{ "method": "POST", "url": "https://example.com/a"\#(request) }"#,
                response: "{ \(response) }",
                members: members
            )
        )
    }

    @Test("Times can be fractions, -1, null or missing")
    func times() throws {
        let members =
            #""time": 104.265, "timings": { "send": 0.1, "wait": 103.75, "receive": null, "ssl": -1 }, "cache": { "beforeRequest": null }"#
        #expect(try interaction(members: members).timing == .init(wait: 103.75))
        #expect(try interaction(members: #""time": -1, "timings": {}"#).timing == .init())
    }

    @Test("Pseudo-header fields of HTTP/2 are preserved")
    func pseudoHeaders() throws {
        let headers =
            #""headers": [{ "name": ":authority", "value": "example.com" }, { "name": "accept", "value": "*/*" }]"#
        let interaction = try interaction(request: ", \(headers)", response: #""status": 200, \#(headers)"#)
        #expect(interaction.request.headers == [":authority": "example.com", "accept": "*/*"])
        #expect(interaction.response?.headers == [":authority": "example.com", "accept": "*/*"])
    }

    @Test("Headers preserve their order and all values")
    func duplicates() throws {
        let text =
            #""status": 200, "headers": [{ "name": "Set-Cookie", "value": "a=1" }, { "name": "B", "value": "" }, { "name": "set-cookie", "value": "c=2, d=3" }]"#
        #expect(
            try interaction(response: text).response?.headers == [
                "Set-Cookie": "a=1", "B": "", "set-cookie": "c=2, d=3",
            ]
        )
    }

    @Test("A body that was not recorded is not an empty body")
    func missingText() throws {
        let text = #""status": 200, "content": { "size": 10, "mimeType": "image/png" }"#
        #expect(try interaction(response: text).outcome == .unknown(reason: "the body was not recorded"))
    }

    @Test(
        "A missing body is accepted if the response has no visible body",
        arguments: [
            ("GET", #""status": 302, "headers": [{ "name": "Location", "value": "/b" }]"#, true),
            ("HEAD", #""status": 200"#, true),
            ("GET", #""status": 304"#, true), ("GET", #""status": 302"#, false),
            ("GET", #""status": 404"#, false),
        ]
    )
    func bodiless(_ method: String, _ response: String, _ isReplayable: Bool) throws {
        let entry = HARSamples.entry(
            request: #"{ "method": "\#(method)", "url": "https://example.com/" }"#,
            response: #"{ \#(response), "content": { "size": 10 } }"#
        )
        #expect(try HARSamples.interaction(entry).isReplayable == isReplayable)
    }

    @Test("The text is the body, even if sizes and Content-Length differ")
    func sizes() throws {
        let text =
            #""status": 200, "bodySize": 4, "headers": [{ "name": "Content-Length", "value": "99" }], "content": { "size": 7, "compression": -2, "text": "hello" }"#
        #expect(try interaction(response: text).response?.body == Interaction.Body("hello"))
    }

    @Test("A redirect is a separate entry, and Location takes precedence over redirectURL")
    func redirects() throws {
        let text = #""status": 301, "redirectURL": "/x", "headers": [{ "name": "location", "value": "/b" }]"#
        #expect(try interaction(response: text).response?.redirectTarget == "/b")
    }

    @Test("A retried request is answered by the second entry")
    func retried() throws {
        let entries = [
            #"{ "status": 0, "_error": "net::ERR_FAILED" }"#, #"{ "status": -1 }"#, #"{ "status": 200 }"#,
        ].map {
            HARSamples.entry(response: $0)
        }
        let interactions = try HARFormat.read(HARSamples.archive(entries)).interactions
        #expect(interactions.map(\.isReplayable) == [false, false, true])
    }

    @Test("Headers can be pairs or lack a value, and query strings are ignored")
    func forms() throws {
        let interaction = try interaction(
            request:
                #", "headers": [["A", "1"], { "name": "B" }], "queryString": [{ "name": "q", "value": true }]"#
        )
        #expect(interaction.request.headers == ["A": "1", "B": ""])
    }

    @Test(
        "An entry without a response, a method or an absolute URL is read but never answers"
    )
    func incomplete() throws {
        let entries = [
            #"{ "request": { "method": "GET", "url": "/relative" } }"#,
            HARSamples.entry(request: #"{ "method": "GET", "url": "" }"#),
            HARSamples.entry(request: #"{ "method": "", "url": "data:text/css,a" }"#),
        ]
        let outcomes = try HARFormat.read(HARSamples.archive(entries)).interactions.map(\.outcome)
        let reason = "the request has no method or no URL"
        #expect(
            outcomes == [
                .unknown(reason: "the entry has no response"), .unknown(reason: reason),
                .unknown(reason: reason),
            ]
        )
        #expect(
            try HARFormat.read(HARSamples.archive([entries[2]])).interactions.count == 1,
            "members that are empty are there"
        )
    }

    @Test("A relative URL is preserved")
    func relative() throws {
        let entry = HARSamples.entry(request: #"{ "method": "GET", "url": "/relative?a" }"#)
        #expect(try HARSamples.interaction(entry).request.url == "/relative?a")
    }

    @Test(
        "A form body is rebuilt from its parameters",
        arguments: [
            (
                #"{ "mimeType": "application/x-www-form-urlencoded", "params": [{ "name": "a", "value": "1 2" }] }"#,
                "a=1%202"
            ),
            (#"{ "mimeType": "", "text": "", "params": [{ "name": "a", "value": "1" }] }"#, "a=1"),
            (#"{ "text": "t", "params": [{ "name": "a" }] }"#, "t"),
            (
                #"{ "mimeType": "multipart/form-data; boundary=\"X\"", "params": [{ "name": "a", "value": "1" }, { "name": "b", "fileName": "f", "contentType": "text/plain", "value": "2" }] }"#,
                "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--X\r\nContent-Disposition: form-data; name=\"b\"; filename=\"f\"\r\nContent-Type: text/plain\r\n\r\n2\r\n--X--\r\n"
            ),
        ]
    )
    func params(_ postData: String, _ expected: String) throws {
        #expect(try HARSamples.requestBody(postData) == Interaction.Body(expected))
    }

    @Test("Base64 is decoded for any media type, and invalid base64 affects only its entry")
    func base64() throws {
        let text =
            #""status": 200, "content": { "mimeType": "application/json", "text": "e30=", "encoding": "base64" }"#
        #expect(try interaction(response: text).response?.body == Interaction.Body("{}"))
        let request = #", "postData": { "text": "!", "_encoding": "base64" }"#
        let read = try interaction(request: request)
        #expect(read.request.bodyAbsence == "the request body is not valid base64")
        #expect(read.response?.status == 200)
    }

    @Test(
        "Text is replayed in the character set of its header",
        arguments: [
            ("text/html; charset=ISO-8859-1", "é", [0xE9]),
            ("text/html; charset=\"latin1\"", "é€", [0xE9, 0x80]),
            ("text/html; charset=windows-1251", "ж", [0xE6]),
            ("text/html; charset=Shift_JIS", "あ", [0x82, 0xA0]),
            ("text/html; charset=utf-8", "é", [0xC3, 0xA9]), ("text/html; charset=unheard", "e", [0x65]),
            ("text/html; charset=utf-16", "é", [0xFF, 0xFE, 0xE9, 0]), ("text/html", "é", [0xC3, 0xA9]),
        ] as [(String, String, [UInt8])]
    )
    func charsets(_ type: String, _ text: String, _ bytes: [UInt8]) throws {
        let type = type.replacingOccurrences(of: "\"", with: "\\\"")
        let interaction = try interaction(
            response:
                #""status": 200, "headers": [{ "name": "Content-Type", "value": "\#(type)" }], "content": { "text": "\#(text)" }"#
        )
        #expect(interaction.response?.body.data == Data(bytes))
        var changed = Cassette(interactions: [interaction])
        changed.interactions[0].original = nil
        #expect(try HARFormat.read(HARFormat.write(changed)) == changed, "what is written is read as it was")
    }

    @Test("A byte order mark, a fragment and unknown members are accepted")
    func mark() throws {
        let data = HARSamples.archive([
            HARSamples.entry(request: #"{ "method": "GET", "url": "https://example.com/#top", "_x": [1] }"#)
        ])
        #expect(
            try HARFormat.read(Data([0xEF, 0xBB, 0xBF]) + data).interactions.map(\.request.url) == [
                "https://example.com/#top"
            ]
        )
    }

    @Test("A body in a separate file is read, and can be written into the archive")
    func attached() throws {
        let folder = try TemporaryDirectory()
        try Data([0xFF, 0x00]).write(to: folder["body.bin"])
        let entry = HARSamples.entry(
            request:
                #"{ "method": "POST", "url": "https://example.com/", "postData": { "_file": "body.bin" } }"#,
            response: #"{ "status": 200, "content": { "size": 2, "_file": "body.bin" } }"#
        )
        try HARSamples.archive([entry]).write(to: folder["talk.har"])
        let cassette = try Cassette(contentsOf: folder["talk.har"])
        #expect(cassette.interactions.map(\.request.body) == [Interaction.Body(Data([0xFF, 0x00]))])
        #expect(cassette.interactions.map(\.response?.body) == [Interaction.Body(Data([0xFF, 0x00]))])
        let written = HARFormat.write(cassette)
        #expect(!String(decoding: written, as: UTF8.self).contains("_file"))
        #expect(try HARFormat.read(written) == cassette)
    }

    @Test(
        "A path out of the folder is not followed, even through a link",
        arguments: [
            "../outside", "sub/../../outside", "/etc/hostname", "link", "links/outside", "../deep/er/outside",
            "links/deep/er/outside",
            "", ".", "sub",
            "missing", "a\\\\b",
        ]
    )
    func contained(_ path: String) throws {
        let parent = try TemporaryDirectory()
        let folder = parent["inside"]
        let files = FileManager.default
        try files.createDirectory(at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
        try files.createDirectory(at: parent["deep/er"], withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: parent["outside"])
        try Data("secret".utf8).write(to: parent["deep/er/outside"])
        try files.createSymbolicLink(
            at: folder.appendingPathComponent("link"),
            withDestinationURL: parent["outside"]
        )
        try files.createSymbolicLink(at: folder.appendingPathComponent("links"), withDestinationURL: parent.url)
        let entry = HARSamples.entry(response: #"{ "status": 200, "content": { "_file": "\#(path)" } }"#)
        try HARSamples.archive([entry]).write(to: folder.appendingPathComponent("talk.har"))
        let outcome = try Cassette(contentsOf: folder.appendingPathComponent("talk.har")).interactions.first?
            .outcome
        guard case .unknown(let reason) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(reason.hasPrefix("the body file "))
    }

    @Test("A file in a subfolder is read, and a file that is too large is not")
    func attachments() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(at: folder["sub"], withIntermediateDirectories: true)
        try Data("body".utf8).write(to: folder["sub/b.txt"])
        #expect(Attachments(in: folder.url).data(at: "sub/b.txt") == Data("body".utf8))
        #expect(Attachments(in: folder.url, maximumSize: 3).data(at: "sub/b.txt") == nil)
    }
}
