import Foundation
import Rewind
import Testing

/// Archives and entries of archives.
enum HARSamples {
    /// The text of an entry; a test passes only the parts that matter to it.
    static func entry(
        request: String = #"{ "method": "GET", "url": "https://example.com/" }"#,
        response: String = #"{ "status": 200 }"#,
        members: String = ""
    ) -> String {
        #"{ "request": \#(request), "response": \#(response)\#(members.isEmpty ? "" : ", " + members) }"#
    }

    /// The bytes of an archive with entries, one per line from the third line on.
    static func archive(_ entries: [String], members: String = #""version": "1.2""#) -> Data {
        Data("{ \"log\": { \(members),\n\"entries\": [\n\(entries.joined(separator: ",\n"))\n] } }\n".utf8)
    }

    /// The interaction read from an archive with one entry.
    static func interaction(_ entry: String) throws -> Interaction {
        try #require(try HARFormat.read(archive([entry])).interactions.first)
    }

    /// The body of a response whose `content` has the given members.
    static func responseBody(_ content: String) throws -> Interaction.Outcome {
        try interaction(entry(response: #"{ "status": 200, "content": \#(content) }"#)).outcome
    }

    /// The body of a request with the given `postData`.
    static func requestBody(_ postData: String) throws -> Interaction.Body? {
        let request = #"{ "method": "POST", "url": "https://example.com/", "postData": \#(postData) }"#
        return try interaction(entry(request: request)).request.body
    }

    /// An archive like those of browsers, with members unknown to Rewind at every level.
    static let foreign = Data(
        #"""
        {
            "log": {
                "version": "1.2",
                "creator": {"name": "Browser", "version": "99.0", "comment": "made by hand"},
                "browser": {"name": "Browser", "version": "99.0"},
                "pages": [
                    {"startedDateTime": "2024-05-06T07:08:09.000Z", "id": "page_1", "title": "Start",
                     "pageTimings": {"onLoad": 12.5, "_paint": 3}}
                ],
                "entries": [
                    {
                        "_initiator": {"type": "script", "stack": [{"line": 1}]},
                        "_priority": "High",
                        "pageref": "page_1",
                        "startedDateTime": "2024-05-06T09:08:09.250+02:00",
                        "time": 40.125,
                        "request": {
                            "method": "POST",
                            "url": "https://example.com/login?next=%2f",
                            "httpVersion": "h2",
                            "cookies": [{"name": "id", "value": "7", "expires": null}],
                            "headers": [
                                {"name": ":method", "value": "POST"},
                                {"name": "Cookie", "value": "id=7"},
                                {"name": "Content-Type", "value": "text/plain", "comment": "of a header"}
                            ],
                            "queryString": [{"name": "next", "value": "%2f"}],
                            "headersSize": 321,
                            "bodySize": 5,
                            "postData": {"mimeType": "text/plain", "text": "hello", "comment": "of a body"},
                            "_requestNumber": 1e0
                        },
                        "response": {
                            "status": 200.0,
                            "statusText": "",
                            "httpVersion": "h2",
                            "cookies": [{"name": "t", "value": "1", "sameSite": "Lax"}],
                            "headers": [
                                {"name": "set-cookie", "value": "t=1; SameSite=Lax"},
                                {"name": "content-type", "value": "text/javascript"}
                            ],
                            "content": {
                                "size": 8, "mimeType": "text/javascript", "compression": -2,
                                "text": "YWxlcnQoMSk=", "encoding": "base64", "_cached": false
                            },
                            "redirectURL": "",
                            "headersSize": -1,
                            "bodySize": 10,
                            "_transferSize": 300,
                            "comment": "of a response"
                        },
                        "cache": {"beforeRequest": null, "comment": "of a cache"},
                        "timings": {"blocked": 1.5, "dns": -1, "send": 0.25, "wait": 30, "receive": 8.5,
                                    "_queued": 0.1},
                        "serverIPAddress": "192.0.2.1",
                        "connection": "443",
                        "_rewind": {"note": "from a later version"},
                        "comment": "of an entry"
                    },
                    {
                        "startedDateTime": "2024-05-06T07:08:10.000Z",
                        "request": {"method": "GET", "url": "https://example.com/film.mp4", "headers": []},
                        "response": {
                            "status": 200,
                            "headers": [{"name": "content-type", "value": "video/mp4"}],
                            "content": {"size": 123456, "mimeType": "video/mp4"},
                            "_error": "too large"
                        },
                        "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 2}
                    }
                ],
                "comment": "of a log",
                "_extension": {"nested": [1, 2.50, {"deep": true}]}
            }
        }

        """#.utf8
    )
}

/// Creates random values from a seed.
struct RandomSource {
    private var state: UInt64

    init(seed: UInt64) {
        state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    /// A number from zero up to, but not including, the bound.
    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % bound
    }

    /// One of the elements, of which there must be at least one.
    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Text with characters that are special in JSON, headers and URLs.
    mutating func text(upTo length: Int) -> String {
        let alphabet = [
            "a", "Z", "0", " ", "\t", "\r\n", "\n", "\"", "\\", "/", "{", "]", ",", ";", "=", "%", "%41", "&",
            "+",
            "é", "e\u{301}", "😀", "\u{FEFF}", "\u{2028}", "\u{FFFD}", "\0", "\u{1B}", "\u{7F}", "\u{85}",
        ]
        return (0..<below(length + 1)).map { _ in one(of: alphabet) }.joined()
    }

    /// Bytes that are text, almost text, or random.
    mutating func data() -> Data {
        switch below(5) {
        case 0: return Data()
        case 1: return Data(text(upTo: 40).utf8)
        case 2: return Data(text(upTo: 10).utf8.dropLast())
        case 3: return Data(#"{"list": [1, 2.50, "\u00e9"]}"#.utf8)
        default: return Data((0..<below(600)).map { _ in UInt8(below(256)) })
        }
    }

    /// A body, sometimes in chunks.
    mutating func body() -> Interaction.Body {
        let data = data()
        var rest = data.count
        var chunks: [Interaction.Body.Chunk] = []
        while rest > 0, chunks.count < 6 {
            let count = below(3) == 0 ? rest : below(rest) + 1
            chunks.append(.init(offset: Double(below(1_000_000)) / 999, count: count))
            rest -= count
        }
        return Interaction.Body(data, chunks: chunks)
    }

    /// Header fields, some of them duplicates.
    mutating func headers() -> HeaderList {
        var headers = HeaderList()
        let names = [
            "Accept", "accept", "Content-Type", "Cookie", "Set-Cookie", "set-cookie", "Location", "", ":path",
        ]
        for _ in 0..<below(8) {
            headers.append(below(4) == 0 ? text(upTo: 8) : one(of: names), text(upTo: 12))
        }
        return headers
    }

    /// A response with any status that an archive can contain.
    mutating func response() -> Interaction.Response {
        Interaction.Response(
            status: one(of: [100, 200, 204, 301, 307, 404, 500, 999]),
            statusText: below(2) == 0 ? nil : text(upTo: 6),
            headers: headers(),
            body: body(),
            httpVersion: one(of: ["HTTP/1.1", "HTTP/2", "h3", ""])
        )
    }

    /// A failure, with or without a message.
    mutating func failure() -> Interaction.Failure {
        Interaction.Failure(
            domain: one(of: [NSURLErrorDomain, "NSPOSIXErrorDomain", "", text(upTo: 5)]),
            code: below(10_000) - 5_000,
            message: text(upTo: 20)
        )
    }

    /// An interaction of any recordable kind.
    mutating func interaction() -> Interaction {
        let outcome: Interaction.Outcome =
            switch below(4) {
            case 0: .failure(failure(), after: nil)
            case 1: .failure(failure(), after: response())
            default: .response(response())
            }
        return Interaction(
            request: Interaction.Request(
                method: one(of: ["GET", "post", "PURGE"]),
                url: one(of: ["https://example.com/", "x:", "http://[::1]:8080/é?"]) + text(upTo: 12),
                headers: headers(),
                body: below(2) == 0 ? nil : Interaction.Body(data()),
                httpVersion: one(of: ["HTTP/1.1", "h2"])
            ),
            outcome: outcome,
            startedAt: Date(timeIntervalSince1970: Double(below(2_000_000_000)) + Double(below(1000)) / 1000),
            timing: .init(wait: Double(below(1_000_000)) / 997, receive: Double(below(1_000_000)) / 991)
        )
    }
}
