import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@testable import RewindCLI

struct ShowCurlTests {
    /// A request as a server received it.
    private struct ReceivedRequest: Equatable, Sendable {
        var method: String
        var target: String
        var headers: [String]
        var body: Data
    }

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Runs the printed command, and returns the request that the server received.
    private func repeated(_ request: Interaction.Request, to server: Recorder, shell: String, status: Int32 = 0)
        throws
        -> ReceivedRequest?
    {
        var interaction = Interaction(request: request, outcome: .response(Interaction.Response()))
        interaction.request.url = server.url.absoluteString + request.url
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let run = try CommandRun(["show", "talk.har", "1", "--curl"], in: folder.url)
        #expect(run.status == 0, "\(run.errorOutput)")
        let script = "unset http_proxy HTTP_PROXY ALL_PROXY all_proxy\nset -e\n" + run.output
        try Data(script.utf8).write(to: folder["script"])
        let words = [shell, folder["script"].path]
        let shellRun = try ChildProcess(URL(fileURLWithPath: "/usr/bin/env"), words)
        #expect(shellRun.status == status, "\(run.output)\n\(shellRun.output)")
        return server.take()
    }

    /// A server that stores the last request.
    private final class Recorder: Sendable {
        private let server: HTTPServer
        private let last = Locked<ReceivedRequest?>(nil)
        let url: URL

        init() throws {
            let last = last
            server = HTTPServer { request, response in
                let hidden = ["host", "content-length"]
                let headers = request.headers.filter { !hidden.contains($0.name.lowercased()) }
                let received = ReceivedRequest(
                    method: request.method,
                    target: request.target,
                    headers: headers.map { "\($0.name): \($0.value)" },
                    body: request.body
                )
                last.withLock { $0 = received }
                try response.respond(headers: ["Content-Type": "text/plain"], body: Data("ok".utf8))
            }
            url = try server.start()
        }

        func take() -> ReceivedRequest? {
            last.withLock { last in
                defer { last = nil }
                return last
            }
        }

        func stop() { server.stop() }
    }

    private static let requests: [Interaction.Request] = {
        let json: HeaderList = ["Content-Type": "application/json"]
        var several: HeaderList = [
            "User-Agent": "It's \"mine\" $HOME `id` \\ !", "Accept": "*/*", "X-Empty": "",
        ]
        several.append("X-Twice", "1")
        several.append("X-Twice", "2")
        return [
            Interaction.Request(url: "/plain"),
            Interaction.Request(url: "/a/./b/../c?q=%20&x[]=1&{a,b}=[1-3]&apostrophe='#fragment"),
            Interaction.Request(url: "/headers", headers: several),
            Interaction.Request(url: "/secret", headers: ["Authorization": "Bearer REDACTEDaccessTokenN1X"]),
            Interaction.Request(url: "/coded", headers: ["Accept-Encoding": "gzip, br", "Accept": "a/b"]),
            Interaction.Request(method: "HEAD", url: "/head"),
            Interaction.Request(method: "DELETE", url: "/delete"),
            Interaction.Request(method: "POST", url: "/bodiless"),
            Interaction.Request(method: "POST", url: "/empty", body: Interaction.Body()),
            Interaction.Request(method: "GET", url: "/get", headers: json, body: Interaction.Body("{}")),
            Interaction.Request(
                method: "POST",
                url: "/text",
                headers: json,
                body: Interaction.Body("it's \"quoted\" $HOME `id` \\n %s ! é 🚀")
            ),
            Interaction.Request(
                method: "PUT",
                url: "/lines",
                headers: json,
                body: Interaction.Body("\na\n\tb\n\n")
            ),
            Interaction.Request(
                method: "PATCH",
                url: "/at",
                headers: json,
                body: Interaction.Body("@/etc/passwd")
            ),
            Interaction.Request(method: "POST", url: "/untyped", body: Interaction.Body("a=1&b=2")),
            Interaction.Request(
                method: "POST",
                url: "/crlf",
                headers: json,
                body: Interaction.Body("a\r\nb\r\n")
            ),
            Interaction.Request(
                method: "POST",
                url: "/nul",
                headers: json,
                body: Interaction.Body(Data((0...255).map(UInt8.init)))
            ),
            Interaction.Request(
                method: "POST",
                url: "/escape",
                headers: json,
                body: Interaction.Body("\u{1B}[31m\u{9B}")
            ),
            Interaction.Request(
                method: "POST",
                url: "/long",
                headers: json,
                body: Interaction.Body(String(repeating: "long ' ", count: 60_000))
            ),
            Interaction.Request(
                method: "POST",
                url: "/middling",
                headers: json,
                body: Interaction.Body(String(repeating: "x'", count: 2000))
            ),
            Interaction.Request(method: "ODD'METHOD", url: "/odd"),
        ]
    }()

    @Test("The command sends the recorded request exactly", arguments: ["bash", "sh"])
    func repeats(_ shell: String) throws {
        let server = try Recorder()
        defer { server.stop() }
        for request in Self.requests {
            let received = try #require(try repeated(request, to: server, shell: shell), "\(request)")
            #expect(received.method == request.method)
            #expect(received.target == request.urlWithoutFragment)
            #expect(received.body == request.body?.data ?? Data(), "\(request)")
            #expect(received.headers.sorted() == request.headers.map { "\($0.name): \($0.value)" }.sorted())
        }
    }

    @Test("Commands are formatted on several lines, with comments on changes")
    func formats() throws {
        var interactions = [1, 2, 6, 10, 15].map { index in
            var interaction = Interaction(
                request: Self.requests[index],
                outcome: .response(Interaction.Response())
            )
            interaction.request.url = "https://api.example.com" + interaction.request.url
            if let body = interaction.request.body {
                interaction.request.body = Interaction.Body(body.data.prefix(40))
            }
            return interaction
        }
        interactions[1].redactedPlaces = ["request.headers.User-Agent"]
        interactions[1].request.headers.append("X-Bell", "a\u{7}b")
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
        let run = try CommandRun(["show", "talk.har", "--curl"], in: folder.url)
        try expectGolden(run.output, "show/curl.txt")
    }

    @Test("Text of a cassette cannot become a command or a file name")
    func quotesText() throws {
        let marker = folder["marker"].path
        // curl reads headers from a file if the argument begins with `@`.
        try Data("X-Leak: 1\n".utf8).write(to: folder["leak;"])
        var headers: HeaderList = [
            "@\(folder["leak"].path)": "", "X-Line": "a\ntouch \(marker)", "X-Fine": "yes",
        ]
        headers.append("X\ntouch \(marker)", "a")
        let server = try Recorder()
        defer { server.stop() }
        let request = Interaction.Request(method: "P\nOST", url: "/'; touch \(marker); '", headers: headers)
        let interactions = ["file:///etc/passwd", "https://a/\ntouch \(marker)", "-K\(marker)"].map {
            Interaction(
                request: Interaction.Request(url: $0, headers: headers),
                outcome: .response(Interaction.Response())
            )
        }
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
        let refused = try CommandRun(["show", "talk.har", "--curl"], in: folder.url).output
        #expect(!refused.contains("curl '") && refused.split(separator: "\n").allSatisfy { $0.hasPrefix("#") })
        // curl rejects a URL with spaces.
        #expect(try repeated(request, to: server, shell: "sh", status: 3) == nil)
        let received = try repeated(
            Interaction.Request(url: "/fine", headers: headers),
            to: server,
            shell: "sh"
        )
        #expect(received?.headers == ["X-Fine: yes"])
        #expect(!FileManager.default.fileExists(atPath: marker))
    }
}
