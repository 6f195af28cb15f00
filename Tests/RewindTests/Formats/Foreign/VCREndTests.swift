import Foundation
import Testing

@testable import Rewind

/// A complete YAML cassette is read whatever its last line ends with, and a truncated one is rejected.
struct VCREndTests {
    private static let vcrpy = """
        interactions:
        - request:
            body: null
            headers: {}
            method: GET
            uri: http://a/
          response:
            body:
              string: hello
            headers: {}
            status:
              code: 200
              message: OK
        version: 1
        """
    private static let ruby = """
        ---
        http_interactions:
        - request:
            method: get
            uri: http://a/
            body:
              encoding: US-ASCII
              string: ''
            headers: {}
          response:
            status:
              code: 200
              message: OK
            headers: {}
            body:
              encoding: UTF-8
              string: hello
          recorded_at: Tue, 05 Feb 2013 16:19:25 GMT
        recorded_with: VCR 6.4.0
        """
    private static let r = """
        http_interactions:
        - request:
            method: get
            uri: http://a/
            body:
              encoding: ''
              string: ''
            headers:
              Accept: application/json
          response:
            status:
              status_code: '200'
              message: OK
              explanation: Request fulfilled, document follows
            headers: []
            body:
              encoding: UTF-8
              file: no
              string: hello
          recorded_at: 2018-04-03 22:55:02 GMT
          recorded_with: vcr/0.1.0, webmockr/0.2.4, crul/0.5.2
        """
    private static let go = """
        ---
        version: 1
        interactions:
        - request:
            body: ""
            form: {}
            headers: {}
            url: http://a/
            method: GET
          response:
            body: hello
            headers: {}
            status: 200 OK
            code: 200
            duration: 1.5s
        """
    private static let early = """
        ---
        - !ruby/struct:VCR::HTTPInteraction
          request: !ruby/struct:VCR::Request
            method: :get
            uri: http://a:80/
            body:
            headers:
          response: !ruby/struct:VCR::Response
            status: !ruby/struct:VCR::ResponseStatus
              code: 200
              message: OK
            headers:
              content-type:
              - text/plain
            body: hello
            http_version: "1.1"
        """
    private static let parsed =
        vcrpy.replacingOccurrences(of: "\nversion: 1", with: "\n")
            + """
            - request:
                headers: {}
                method: POST
                parsed_body:
                  a: 1
                uri: http://a/
              response:
                headers: {}
                parsed_body:
                  text: second
                status:
                  code: 200
                  message: OK
            """
    private static let quoted = """
        version: 1
        interactions:
        - request: {method: GET, uri: http://a/, body: null, headers: {}}
          response:
            status: {code: 200, message: OK}
            headers: {}
            body: {string: hello}
        """

    static let complete = [
        vcrpy, ruby, r, go, early, quoted, parsed,
        go.replacingOccurrences(of: "\n    duration: 1.5s", with: ""),
    ]

    @Test(
        "A complete cassette is read with any line end, also without the last one, and with an indented root",
        arguments: complete.indices,
        ["", "\n", "\r\n", "\n...\n", "\n# end", "  "]
    )
    func ends(_ index: Int, _ end: String) throws {
        for text in [
            Self.complete[index], Self.complete[index].replacingOccurrences(of: "\n", with: "\r\n"),
            Self.complete[index].split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
                .replacingOccurrences(of: "  ---", with: "---"),
            "\u{FEFF}# a comment\n\n" + Self.complete[index].replacingOccurrences(of: "\n", with: " # c\n"),
        ] where !end.isEmpty || !text.hasSuffix("# c") {
            let data = Data((text + end).utf8)
            #expect(VCRYAMLFormat.recognizes(data))
            let interaction = try #require(try VCRYAMLFormat.read(data).interactions.first)
            #expect(interaction.request.method == "GET")
            #expect(interaction.request.url.replacingOccurrences(of: ":80", with: "") == "http://a/")
            #expect(interaction.response?.status == 200)
            #expect(interaction.response?.body == Interaction.Body("hello"))
        }
    }

    @Test("A cassette that ends in the middle of its interaction is rejected", arguments: complete.indices)
    func middle(_ index: Int) throws {
        let data = Data(Self.complete[index].utf8)
        let text = Self.complete[index]
        let body = try #require(text.range(of: "hello")).lowerBound.utf16Offset(in: text)
        for count in 0..<body + 5 {
            #expect(throws: CassetteError.Problem.self, "at \(count)") {
                try VCRYAMLFormat.read(data.prefix(count))
            }
        }
    }

    @Test(
        "The error names the line at which a truncated cassette ends",
        arguments: [
            ("interactions: []\n", 1, "`recorded_with` or `version` is missing"),
            ("http_interactions: []\n\n", 2, "`recorded_with` or `version` is missing"),
            (
                "version: 1\ninteractions:\n- request: {method: GET, url: x}\n", 3,
                "the last interaction has no `response`"
            ),
            (
                "version: 1\ninteractions:\n- request: {method: GET, url: x}\n  response:\n    body: a", 5,
                "the last response has no `status`"
            ),
            (
                "version: 1\ninteractions:\n- request: {method: GET, uri: x}\n  response:\n    status: {code: 200}\n"
                    + "    body:\n      string: a", 7, "the last line has no line feed"
            ),
            (
                "interactions:\n- request: {}\n  response: {parsed_body: {}, status: {code: 200}}\n- request: {}\n"
                    + "  response:\n    parsed_body: {}\n", 6, "the last response has no `status`"
            ),
            (
                "version: 1\ninteractions:\n- request: {}\n  response: {status: {code: 200}}\n", 4,
                "the last response has no `body`"
            ),
            (
                "version: 1\ninteractions:\n- request: {method: GET, url: x}\n  response: {status: 200 OK, code: 200, duration: ''}\n"
                    + "- request: {method: GET, url: y}\n  response: {status: 200 OK, code: 200}\n",
                6, "the last response has no `duration`"
            ),
        ]
    )
    func line(_ text: String, _ line: Int, _ cause: String) throws {
        let problem = CassetteError.Problem.structure(
            place: "line \(line), the end of the file",
            cause: cause + ", so the file may be truncated"
        )
        #expect(throws: problem) { try VCRYAMLFormat.read(Data(text.utf8)) }
    }
}
