import Foundation
import Rewind
import Testing

struct RawResponseTests {
    @Test(
        "A curl response is read with any line ends, and interim responses are skipped",
        arguments: [
            "HTTP/1.1 200 Fine\r\nA: 1\r\nA:2 \r\n\r\nhello\r\n", "HTTP/1.1 200 Fine\nA: 1\nA:2\n\nhello\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 Fine\r\nA: 1\r\nA: 2\r\n\r\nhello\r\n",
        ]
    )
    func curl(_ text: String) throws {
        let interactions = try CurlFormat.read(Data(("xx" + text).utf8)[2...]).interactions
        let response = Interaction.Response(
            statusText: "Fine",
            headers: ["A": "1", "A": "2"],
            body: Interaction.Body("hello\r\n")
        )
        #expect(interactions.map(\.outcome) == [.response(response)])
        #expect(interactions.map(\.request) == [Interaction.Request(url: "")])
    }

    @Test("A 101 response is the last response")
    func switching() throws {
        let response = try CurlFormat.read(Data("HTTP/1.1 101 Switch\n\nHTTP/1.1 200 OK\n\n".utf8)).interactions
            .first?.response
        #expect(response?.status == 101)
        #expect(response?.body == Interaction.Body("HTTP/1.1 200 OK\n\n"))
    }

    @Test("A compressed curl body is decompressed, and an HTTP/2 status line needs no phrase")
    func coding() throws {
        let sample = try #require(CodingSamples.all.first { $0.coding == "gzip" })
        let body = try #require(Data(base64Encoded: sample.base64))
        let response = try CurlFormat.read(Data("HTTP/2 200 \r\ncontent-encoding: gzip\r\n\r\n".utf8) + body)
            .interactions.first?.response
        #expect(response?.body.data == sample.plain)
        #expect(response?.httpVersion == "HTTP/2")
        #expect(response?.statusText == "")
    }

    @Test("A damaged or unsupported curl or Mocktail body never answers, and says why")
    func damagedCoding() throws {
        let sample = try #require(CodingSamples.all.first { $0.coding == "gzip" })
        let body = try #require(Data(base64Encoded: sample.base64)).dropLast(9)
        let reason = "the gzip body is cut off after \(body.count) bytes"
        for (coding, bytes, reason) in [
            ("gzip", body, reason), ("gzip, br", body, reason),
            ("br", Data([0x0B, 0xFF, 0x80]), "the body is compressed with br, which is not supported"),
        ] {
            let curl = try CurlFormat.read(
                Data("HTTP/1.1 200 OK\ncontent-encoding: \(coding)\n\n".utf8) + bytes
            )
            #expect(curl.interactions.map(\.outcome) == [.unknown(reason: reason)])
            let head = Data("GET\na\n200\nContent-Encoding: \(coding)\n\n".utf8)
            #expect(
                try MocktailFormat.read(head + bytes).interactions.map(\.outcome) == [.unknown(reason: reason)]
            )
        }
    }

    @Test("A compressed Mocktail body is decompressed, also from base64")
    func mocktailCoding() throws {
        let sample = try #require(CodingSamples.all.first { $0.coding == "gzip" })
        let file = "GET\na\n200\nContent-Type: text/plain;base64\nContent-Encoding: gzip\n\n\(sample.base64)"
        let interactions = try MocktailFormat.read(Data(file.utf8)).interactions
        #expect(interactions.map(\.response?.body.data) == [sample.plain])
    }

    @Test(
        "An error before the body has its line",
        arguments: [
            ("HTTP/1.1", 1, "expected a status line"), ("HTTP/1.1 200 OK\nA: 1\n", 3, "expected an empty line"),
            ("HTTP/1.1 20 OK\n\n", 1, "expected a status line"),
            ("HTTP/1.1 +20 OK\n\n", 1, "expected a status line"),
            ("HTTP/1.1 200 OK\nA\n", 2, "expected a header field"),
            ("HTTP/1.1 200 OK\nA 1\n\n", 2, "expected a header field"),
            ("HTTP/1.1 200 OK\nA b: 1\n\n", 2, "expected a header field"),
            ("HTTP/1.1 200 OK\n : 1\n\n", 2, "expected a header field"),
        ]
    )
    func curlErrors(_ text: String, _ line: Int, _ cause: String) throws {
        let problem = try #require(throws: CassetteError.Problem.self) { try CurlFormat.read(Data(text.utf8)) }
        guard case .syntax(line, 1, let found) = problem else {
            Issue.record("\(problem)")
            return
        }
        #expect(found.hasPrefix(cause))
    }

    @Test(
        "A Mocktail file is one interaction per method, with everything after the first empty line as the body"
    )
    func tail() throws {
        let interactions = try MocktailFormat.read(Data(FormatSamples.tail.utf8)).interactions
        let response = Interaction.Response(
            status: 201,
            headers: ["Content-Type": "text/plain", "X-Y": "z"],
            body: Interaction.Body("hello\n")
        )
        #expect(
            interactions.map(\.request)
                == ["GET", "POST"].map { Interaction.Request(method: $0, url: "https://example.com/a?b") }
        )
        #expect(interactions.map(\.outcome) == [.response(response), .response(response)])
        let blank = try MocktailFormat.read(Data("GET\na\n200\nA: 1\n\n\n{}".utf8)).interactions
        #expect(
            blank.map(\.response) == [Interaction.Response(headers: ["A": "1"], body: Interaction.Body("\n{}"))]
        )
    }

    @Test(
        "A pattern that matches several texts stays unchanged",
        arguments: [
            ("GET", "https://example.com/", ["GET"], "https://example.com/"),
            ("^GET$", "^https://example\\.com/a\\+b$", ["GET"], "https://example.com/a+b"),
            ("GET|P.*", ".*/users", ["GET|P.*"], ".*/users"),
            (".*", "https://example.com/\\d", [".*"], "https://example.com/\\d"),
            ("(GET|PUT)", "a\\", ["(GET|PUT)"], "a\\"),
            ("GET", "a\\$", ["GET"], "a$"),
        ]
    )
    func patterns(_ method: String, _ url: String, _ methods: [String], _ expected: String) throws {
        let interactions = try MocktailFormat.read(Data("\(method)\n\(url)\n200\ntext/plain\n\n".utf8))
            .interactions
        #expect(interactions.map(\.request) == methods.map { Interaction.Request(method: $0, url: expected) })
    }

    @Test("A Mocktail body in base64 is decoded, and an invalid one never answers")
    func base64() throws {
        let interactions = try MocktailFormat.read(Data("GET\na\n200\nimage/png;base64\n\naG\nk=\n".utf8))
            .interactions
        #expect(
            interactions.map(\.response) == [
                Interaction.Response(headers: ["Content-Type": "image/png"], body: Interaction.Body("hi"))
            ]
        )
        let broken = try MocktailFormat.read(Data("GET\na\n200\nimage/png;base64\n\n!".utf8)).interactions
        #expect(broken.map(\.outcome) == [.unknown(reason: "the body is not valid base64")])
    }

    @Test(
        "A Mocktail file with a missing line is an error with the line number",
        arguments: [
            ("GET\na\n200\n", 4), ("GET\na\nx\ntext/plain\n\n", 3), ("GET\na\n200\ntext/plain\nx", 5),
            ("GET\na\n200\ntext/plain\nx\n\n", 5), ("", 3),
        ]
    )
    func tailErrors(_ text: String, _ line: Int) throws {
        let problem = try #require(throws: CassetteError.Problem.self) {
            try MocktailFormat.read(Data(text.utf8))
        }
        guard case .syntax(line, 1, _) = problem else {
            Issue.record("\(problem)")
            return
        }
    }
}
