import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// Cassettes of other tools whose bodies are stored as they were sent.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct EncodedBodyTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A recording of go-vcr with a coding and bytes for each path.
    private func cassette(_ bodies: [(path: String, coding: String, base64: String)]) throws -> URL {
        let entries = bodies.map { body in
            """
            - request:
                method: GET
                url: http://example.com/\(body.path)
                headers: {}
                body: ""
              response:
                headers:
                  Content-Type: [text/plain]
                  Content-Length: ["9"]
                  Content-Encoding: [\(body.coding)]
                body: !!binary \(body.base64)
                status: 200 OK
                code: 200
                duration: 1ms

            """
        }
        try Data("---\nversion: 1\ninteractions:\n\(entries.joined())".utf8).write(to: folder["talk.yaml"])
        return folder["talk.yaml"]
    }

    @Test("A decoded body is sent without its coding and with its own length, and a damaged one never answers")
    func served() throws {
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .url]
        configuration.requestMatchingFailed = { _ in }
        let stubber = try Stubber(
            at: try cassette([
                ("members", "gzip", Self.members), ("twice", "gzip, GZIP", Self.twice),
                ("plain", "br", "cGxhaW4="),
                ("cut", "gzip", Self.cut), ("none", "none", "cGxhaW4="),
            ]),
            mode: .never,
            configuration: configuration
        )
        let server = try CassetteServer(
            stubber,
            upstreams: .url(try #require(URL(string: "http://example.com")))
        )
        let url = try server.start()
        for (path, text) in [
            ("/members", "Every member has a checksum. "), ("/plain", "plain"),
            ("/twice", String(repeating: "Every member has a checksum. ", count: 4)),
        ] {
            let answer = try send(url, "GET", path, headers: ["Accept-Encoding": "gzip"])
            #expect(answer.text == text && answer.status == 200 && answer.isWhole)
            #expect(answer.headers["Content-Encoding"] == nil)
            #expect([nil, String(text.utf8.count)].contains(answer.headers["Content-Length"]))
        }
        let cut = try send(url, "GET", "/cut")
        #expect(cut.status == 501)
        #expect(cut.text.contains("the gzip body is cut off after 37 bytes"), "\(cut.text)")
        // Nothing is encoded, so the field stays.
        #expect(try send(url, "GET", "/none").headers["Content-Encoding"] == "none")
        try server.stop()
    }

    @Test("A session gets the decoded body once")
    func loaded() async throws {
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .url]
        configuration.requestMatchingFailed = { _ in }
        let stubber = try Stubber(
            at: try cassette([("members", "gzip", Self.members), ("cut", "gzip", Self.cut)]),
            mode: .never,
            configuration: configuration
        )
        let url = try #require(URL(string: "http://example.com/members"))
        let (data, _) = try await stubber.session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "Every member has a checksum. ")
        let cut = try #require(URL(string: "http://example.com/cut"))
        await #expect(throws: (any Error).self) { try await stubber.session.data(from: cut) }
    }

    private static let members =
        "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVIAAOY1RjgNAAAAH4sIAAAAAAAA/8tILFZIVEjOSE3OLi7N1VMAAJqVz0IQAAAA"
    private static let twice =
        "H4sIAAAAAAAA/5Pv5mAAg//Fut66q0JO+J719dINOuGhE+YR4nHOw/ecnt7Zq8EFS3tVGETtpniWAJUCACPXsXg0AAAA"
    private static let cut = "H4sIAAAAAAAA/3MtSy2qVMhNzU1KLVLISCxWSFRIzkhNzi4uzQ=="
}
