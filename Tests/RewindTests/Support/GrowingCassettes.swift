import Foundation
import Rewind

/// Cassettes that contain something a given number of times.
enum GrowingCassettes {
    struct Sample: Sendable {
        let name: String
        let format: CassetteFormat
        let text: @Sendable (Int) -> String
    }

    private static func many(_ count: Int, _ separator: String = ",", _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: separator)
    }

    // MARK: HAR

    private static func archive(log: String = "", creator: String = "", root: String = "", _ entries: String)
        -> String
    {
        #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"\#(creator)},"entries":[\#(entries)]\#(log)}\#(root)}"#
    }

    private static func entry(
        _ members: String = "",
        request: String = "",
        response: String = "",
        headers: String = "",
        url: String = "https://a.example.org/",
        body: String = "hi"
    ) -> String {
        #"{"startedDateTime":"2026-01-01T00:00:00.000Z","request":{"method":"POST","url":"\#(url)","headers":[\#(headers)]\#(request)},"response":{"status":200,"headers":[\#(headers)],"content":{"mimeType":"text/plain","text":"\#(body)"}\#(response)}\#(members)}"#
    }

    private static func har(_ name: String, _ text: @escaping @Sendable (Int) -> String) -> Sample {
        Sample(name: name, format: .har, text: text)
    }

    private static func pair(_ number: Int) -> String { #"{"name":"N\#(number)","value":"v"}"# }

    static let archives: [Sample] = [
        har("members of the root") { archive(root: "," + many($0) { "\"m\($0)\":1" }, entry()) },
        har("members of log") { archive(log: "," + many($0) { "\"m\($0)\":1" }, entry()) },
        har("equal members of log") { archive(log: "," + many($0) { _ in "\"m\":1" }, entry()) },
        har("members of creator") { archive(creator: "," + many($0) { "\"m\($0)\":1" }, entry()) },
        har("members of an entry") { archive(entry("," + many($0) { "\"m\($0)\":1" })) },
        har("members of a request") { archive(entry(request: "," + many($0) { "\"m\($0)\":1" })) },
        har("members of a response") { archive(entry(response: "," + many($0) { "\"m\($0)\":1" })) },
        har("members of a header") { count in
            archive(entry(headers: #"{"name":"a","value":"b",\#(many(count) { "\"m\($0)\":1" })}"#))
        },
        har("members of _rewind") { archive(entry(",\"_rewind\":{" + many($0) { "\"m\($0)\":1" } + "}")) },
        har("pages") { archive(log: ",\"pages\":[" + many($0) { "{\"id\":\"\($0)\"}" } + "]", entry()) },
        har("headers") { archive(entry(headers: many($0, ",", pair))) },
        har("equal headers") { archive(entry(headers: many($0) { _ in pair(1) })) },
        har("cookies") { archive(entry(request: ",\"cookies\":[" + many($0, ",", pair) + "]")) },
        har("received cookies") { count in
            archive(entry(headers: many(count) { #"{"name":"Set-Cookie","value":"c\#($0)=1; Path=/"}"# }))
        },
        har("attributes of a cookie") { count in
            archive(
                entry(headers: #"{"name":"Set-Cookie","value":"c=1\#(many(count, "") { "; a\($0)=1" })"}"#)
            )
        },
        har("query items") { archive(entry(request: ",\"queryString\":[" + many($0, ",", pair) + "]")) },
        har("query items of the URL") { count in
            archive(entry(url: "https://a.example.org/?" + many(count, "&") { "a\($0)=%41" }))
        },
        har("parameters") { count in
            archive(entry(request: #","postData":{"params":[\#(many(count, ",", pair))]}"#))
        },
        har("parts") { count in
            archive(
                entry(
                    request: #","postData":{"params":[\#(many(count, ",", pair))]}"#,
                    headers: #"{"name":"Content-Type","value":"multipart/form-data; boundary=b"}"#
                )
            )
        },
        har("chunks") { count in
            archive(entry(",\"_rewind\":{\"chunks\":[" + many(count) { "[\($0),1]" } + "]}"))
        },
        har("redacted places") { count in
            archive(entry(",\"_rewind\":{\"redacted\":[" + many(count) { "\"field \($0)\"" } + "]}"))
        },
        har("entries") { archive(many($0 / 4) { entry(url: "https://a.example.org/\($0)") }) },
        har("equal entries") { archive(many($0 / 4) { _ in entry() }) },
        har("broken entries") { archive(many($0 / 4) { "{\"a\":\($0)}" } + "," + entry()) },
        har("nested arrays") { count in
            let depth = 100
            let array = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return archive(log: ",\"_a\":[" + many(count / 50) { _ in array } + "]", entry())
        },
        har("escapes") { archive(entry(body: many($0 * 4, "") { _ in "\\u00e9\\n\\\"" })) },
        har("surrogates") { archive(entry(body: many($0 * 4, "") { _ in "\\ud83d\\ude00\\ud83d" })) },
        har("long text") { archive(entry(body: many($0 * 4, "") { _ in "é\u{301}a" })) },
        har("white space") { archive(entry() + String(repeating: " \n\t", count: $0 * 16)) },
        har("a long number") { archive(log: ",\"_n\":1" + String(repeating: "0", count: $0 * 16), entry()) },
        har("base64") { count in
            archive(
                entry(
                    response:
                        #","content":{"encoding":"base64","text":"\#(many(count * 4, "") { _ in "QUFB\\n" })"}"#
                )
            )
        },
    ]

    // MARK: Other formats

    private static let status = #""status":{"code":200,"message":"OK"}"#

    private static func ruby(headers: String = "", members: String = "", body: String = "hi") -> String {
        #"{"request":{"method":"get","uri":"http://a/","body":{"encoding":"UTF-8","string":""},"headers":{}},"response":{\#(status),"headers":{\#(headers)},"body":{"encoding":"UTF-8","string":"\#(body)"}}\#(members)}"#
    }

    private static func dvr(headers: String = "", members: String = "") -> String {
        #"{"recorded_at":1,"request":{"method":"GET","url":"http://a/"},"response":{"url":"http://a/","status":200,"headers":{\#(headers)}}\#(members)}"#
    }

    private static func yaml(headers: String = " {}", body: String = " hi", after: String = "") -> String {
        """
        - request:
            method: get
            uri: http://a/
            body:
              encoding: UTF-8
              string: ''
            headers: {}
          response:
            status:
              code: 200
              message: OK
            headers:\(headers)
            body:
              encoding: UTF-8
              string:\(body)
          recorded_at: Tue, 05 Feb 2013 16:19:25 GMT
        \(after)
        """
    }

    private static func ruby(_ name: String, _ text: @escaping @Sendable (Int) -> String) -> Sample {
        Sample(name: "VCR YAML, \(name)", format: .vcrYAML) { count in
            "---\nhttp_interactions:\n" + text(count) + "\nrecorded_with: VCR 6.0.0\n"
        }
    }

    private static func string(_ text: String) -> String { "<string>\(text)</string>" }

    private static func fields(_ count: Int, _ start: String) -> String {
        "<dict>" + many(count, "") { "<key>\(start)\($0)</key><string>v</string>" } + "</dict>"
    }

    private static func request(_ headers: String) -> String {
        FormatSamples.dictionary(["URL": string("http://a/"), "allHTTPHeaderFields": headers])
    }

    private static func redirect(_ number: Int) -> String {
        FormatSamples.frame("Redirect", at: Double(number), ["request": request("<dict></dict>")])
    }

    static let others: [Sample] = [
        Sample(name: "DVR, interactions", format: .dvr) {
            "{\"interactions\":[" + many($0 / 4) { _ in dvr() } + "]}"
        },
        Sample(name: "DVR, headers", format: .dvr) { count in
            "{\"interactions\":[" + dvr(headers: many(count) { "\"n\($0)\":\"v\"" }) + "]}"
        },
        Sample(name: "DVR, members", format: .dvr) { count in
            "{\"interactions\":[" + dvr(members: "," + many(count) { "\"n\($0)\":1" }) + "]}"
        },
        Sample(name: "VCR, interactions", format: .vcr) { count in
            "{\"http_interactions\":[" + many(count / 4) { _ in ruby() } + "]}"
        },
        Sample(name: "VCR, headers", format: .vcr) { count in
            "{\"http_interactions\":[" + ruby(headers: many(count) { "\"n\($0)\":[\"v\"]" }) + "]}"
        },
        Sample(name: "VCR, values", format: .vcr) { count in
            "{\"http_interactions\":[" + ruby(headers: "\"n\":[" + many(count) { "\"\($0)\"" } + "]") + "]}"
        },
        Sample(name: "VCR, escapes", format: .vcr) { count in
            "{\"http_interactions\":[" + ruby(body: many(count * 4, "") { _ in "\\u00e9\\n" }) + "]}"
        },
        Sample(name: "Vinyl, trailing commas", format: .vinyl) { count in
            "["
                + many(count / 4) { _ in
                    #"{"response":{"url":"http://a/","status":200,"headers":{"a":"b",},"body":"hi",},}"#
                } + ",]"
        },
        Sample(name: "LaserDisc, entries", format: .laserDisc) { count in
            let entry =
                #"{"request":{"method":"GET","url":"http://a/","headers":{}},"response":{"status":"200 OK","headers":{},"body":"hi","bodyEncodingRaw":4}}"#
            return "{\"entries\":[" + many(count / 4) { _ in entry } + "]}"
        },
        ruby("interactions") { many($0 / 8, "") { _ in yaml() } },
        ruby("headers") { yaml(headers: "\n" + many($0, "\n") { "      N\($0):\n      - v" }) },
        ruby("values") { yaml(headers: "\n      N:\n" + many($0, "\n") { "      - v\($0)" }) },
        ruby("a literal block") { yaml(body: " |\n" + many($0, "\n") { "        line \($0)" }) },
        ruby("a folded block") { yaml(body: " >\n" + many($0, "\n") { "        line \($0)" }) },
        ruby("a block of blank lines") {
            yaml(body: " |\n        a\n" + String(repeating: "\n", count: $0 * 8))
        },
        ruby("text on many lines") { yaml(body: " a\n" + many($0, "\n") { "        line \($0)" }) },
        ruby("text with blank lines") { yaml(body: " a" + many($0, "") { _ in "\n\n        b" }) },
        ruby("quoted text") { yaml(body: " 'a\n" + many($0, "\n") { "        line \($0)" } + "'") },
        ruby("escapes") { yaml(body: " \"" + many($0 * 2, "") { _ in "\\u00e9\\n \\\n   " } + "\"") },
        ruby("spaces in quotes") { yaml(body: " \"" + many($0, "a") { _ in "        " } + "\"") },
        ruby("comments") { yaml(after: many($0, "\n") { "# \($0)" }) },
        ruby("blank lines") { yaml(after: String(repeating: "\n  ", count: $0 * 4)) },
        ruby("a list in brackets") { yaml(headers: "\n      N: [" + many($0) { "v\($0)" } + "]") },
        ruby("a map in braces") { yaml(headers: " {" + many($0, ", ") { "N\($0): [v]" } + "}") },
        ruby("a long line") { yaml(body: " " + String(repeating: "a:b#", count: $0 * 4)) },
        ruby("long keys") {
            yaml(
                headers: "\n"
                    + many($0, "\n") { "      ? 'N\($0)\(String(repeating: "x", count: 130))'\n      : v" }
            )
        },
        ruby("aliases") { yaml(headers: "\n      N: &a [v]\n" + many($0, "\n") { "      N\($0): *a" }) },
        ruby("anchors") { yaml(headers: "\n" + many($0, "\n") { "      N\($0): &a\($0) [v]" }) },
        ruby("merges") {
            yaml(headers: "\n      N: &a {b: v}\n" + many($0 / 8, "\n") { "      N\($0): {<<: *a}" })
        },
        ruby("tags") { yaml(headers: "\n" + many($0, "\n") { "      !!str N\($0): !!python/unicode v" }) },
        ruby("a parsed body") {
            yaml(body: " hi\n    parsed_body:\n" + many($0, "\n") { "      N\($0): [\($0), 1.5, x]" })
        },
        Sample(name: "BeKindRewind, scenes", format: .beKindRewind) { count in
            let scene = FormatSamples.simpleScene
            return FormatSamples.beKindRewind(Array(repeating: scene, count: count / 8))
        },
        Sample(name: "BeKindRewind, redirects", format: .beKindRewind) { count in
            let first = FormatSamples.frame("OriginalRequest", at: 0, ["URL": string("http://a/")])
            return FormatSamples.beKindRewind([FormatSamples.scene([first] + (1...count / 4).map(redirect))])
        },
        Sample(name: "BeKindRewind, headers", format: .beKindRewind) { count in
            let frames = ["Original", "Current"].enumerated().map { number, kind in
                FormatSamples.frame(
                    "\(kind)Request",
                    at: Double(number),
                    ["URL": string("http://a/"), "allHTTPHeaderFields": fields(count / 2, kind)]
                )
            }
            return FormatSamples.beKindRewind([FormatSamples.scene(frames)])
        },
        Sample(name: "JSZVCR, recordings", format: .jszvcr) { count in
            FormatSamples.jszvcr(Array(repeating: FormatSamples.recording, count: count / 8))
        },
        Sample(name: "Mocktail, methods", format: .mocktail) { count in
            many(count, "|") { _ in "GET" } + "\nhttp://a/\n200\ntext/plain\n\nhi"
        },
        Sample(name: "Mocktail, headers", format: .mocktail) { count in
            "GET\nhttp://a/\n200\ntext/plain\n" + many(count, "") { "N\($0): v\n" } + "\nhi"
        },
        Sample(name: "curl, headers", format: .curl) { count in
            "HTTP/1.1 200 OK\r\n" + many(count, "") { "N\($0): v\r\n" } + "\r\nhi"
        },
        Sample(name: "curl, interim responses", format: .curl) { count in
            many(count, "") { _ in "HTTP/1.1 103 Early\r\na: b\r\n\r\n" } + "HTTP/1.1 200 OK\r\na: b\r\n\r\nhi"
        },
    ]
}
