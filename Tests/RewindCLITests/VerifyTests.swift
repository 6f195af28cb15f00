import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct VerifyTests {
    private let stage: VerifyStage
    private var folder: TemporaryDirectory { stage.folder }
    private var server: DriftingServer { stage.server }

    init() throws { stage = try VerifyStage() }

    /// Records every path of the server as a test does, with a fixed address.
    private func recordAll() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        // Cookies of other tests would be redacted as secrets.
        configuration.httpCookieStorage = nil
        let session = URLSession(configuration: configuration)
        try await withCassette("live", in: folder.url, mode: .once) { _ in
            for endpoint in DriftingServer.endpoints {
                _ = await Outcome(of: server[endpoint.path], in: session)
            }
        }
        let recorded = try Cassette(contentsOf: folder["live.har"]).interactions.map { interaction in
            var interaction = interaction
            interaction.request.url = interaction.request.url.replacingOccurrences(
                of: server.url.absoluteString,
                with: "https://api.example.com"
            )
            return interaction
        }
        try FileManager.default.removeItem(at: folder["live.har"])
        try stage.write(recorded)
    }

    // MARK: Drift

    @Test("Every drift is reported as text and as JSON")
    func drift() async throws {
        try await recordAll()
        let before = try Data(contentsOf: folder["api.har"])
        server.change(to: .drifted)
        let run = try stage.verify("api.har", "--base-url", server.url.absoluteString)
        #expect(run.status == 1)
        #expect(run.errorOutput.isEmpty)
        try expectGolden(run.output, "verify/drifted.txt")
        let json = try stage.verify(
            "--json",
            "api.har",
            "--base-url=\(server.url.absoluteString)",
            "--jobs",
            "4"
        )
        #expect(json.status == 1)
        try expectGolden(json.output, "verify/drifted.json")
        #expect(try Data(contentsOf: folder["api.har"]) == before)
        #expect(folder.files == ["api.har"])
        server.stop()
    }

    @Test("An API with other values but the same structure has no drift", arguments: ["1", "8"])
    func same(_ jobs: String) async throws {
        try await recordAll()
        server.change(to: .later)
        let run = try stage.verify("api.har", "--base-url", server.url.absoluteString, "--jobs", jobs)
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("\n15 interactions: 15 same\n"), "\(run.output)")
        server.stop()
    }

    @Test("An unreachable server fails each request, except one recorded as the same failure")
    func unreachable() throws {
        let refused = Interaction.Outcome.failure(
            Interaction.Failure(code: NSURLErrorCannotConnectToHost),
            after: nil
        )
        let failed = Interaction(
            request: Interaction.Request(url: "https://api.example.com/down"),
            outcome: refused
        )
        try stage.write([stage.got("text"), failed])
        server.stop()
        let run = try stage.verify("api.har", "--base-url", server.url.absoluteString)
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "#1   failed   GET https://api.example.com/v1/text\n         could not connect to the server"
            )
        )
        #expect(run.output.contains("#2   same     GET https://api.example.com/down"))
    }

    @Test("An endless response times out, and a stream of events is compared up to the timeout")
    func endless() throws {
        let endless = HTTPServer { request, response in
            try response.begin(headers: [
                "Content-Type": request.path == "/v1/events" ? "text/event-stream" : "text/plain"
            ])
            // The loop ends when the client closes the connection.
            while true {
                try response.write(Data("data: 1\n\n".utf8))
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
        let url = try endless.start()
        defer { endless.stop() }
        let events = Interaction(
            request: Interaction.Request(url: "https://api.example.com/v1/events"),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "text/event-stream"],
                    body: Interaction.Body("data: 1\n\n")
                )
            )
        )
        try stage.write([stage.got("slow"), events])
        let run = try stage.verify("api.har", "--base-url", url.absoluteString, "--timeout", "0.3")
        #expect(run.status == 1)
        #expect(run.output.contains("no complete response within 0.3 s"), "\(run.output)")
        #expect(run.output.hasSuffix("2 interactions: 1 same, 1 failed\n"), "\(run.output)")
    }

    // MARK: Arguments

    @Test("An unreadable file does not stop the others, and '-' reads standard input")
    func files() throws {
        try stage.write([stage.got("retyped")])
        try Data("no cassette".utf8).write(to: folder["bad.har"])
        let base = "--base-url=\(server.url.absoluteString)"
        let run = try stage.verify("bad.har", "api.har", base)
        #expect(run.status == 65)
        #expect(run.errorOutput.contains("bad.har"))
        #expect(run.output.hasSuffix("1 interaction: 1 same\n"))
        let input = try stage.verify("-", base, input: Data(contentsOf: folder["api.har"]))
        #expect(input.status == 0)
        #expect(input.output.hasPrefix("standard input\n"))
        server.stop()
    }

    @Test(
        "An invalid value is a usage error that does not print secrets",
        arguments: [
            (["--base-url", "api.example.com"], "an address such as"),
            (["--base-url", "ftp://h"], "an address"),
            (["--base-url", "https://h/?a=s3cret"], "an address"),
            (["--timeout", "3601"], "a number of seconds up to 3600"),
            (["--timeout", "0"], "a number of seconds"), (["--timeout", "inf"], "a number of seconds"),
            (["--timeout", "soon"], "a number of seconds"), (["--jobs", "0"], "expected 1–255"),
            (["--jobs", "300"], "expected 1–255"), (["--header", "s3cret"], "a header such as"),
            (["--header", ": s3cret"], "a header such as"),
            (["--secret", "NOT_SET_ANYWHERE"], "an environment variable that is set"),
            (["--secret", "a b=s3cret"], "NAME=VALUE"),
        ]
    )
    func rejectsValues(_ arguments: [String], _ hint: String) throws {
        let run = try CommandRun(["verify", "api.har"] + arguments, in: folder.url)
        #expect(run.status == 64)
        #expect(run.errorOutput.contains(hint), "\(run.errorOutput)")
        #expect(!run.errorOutput.contains("s3cret") || arguments[0] == "--base-url", "\(run.errorOutput)")
        server.stop()
    }
}

/// A folder for cassettes, and a server with the API that they recorded.
struct VerifyStage {
    let folder: TemporaryDirectory
    let server: DriftingServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try DriftingServer()
    }

    /// Runs the subcommand.
    func verify(_ words: String..., input: Data = Data(), environment: [String: String] = [:]) throws
        -> CommandRun
    {
        try CommandRun(["verify"] + words, input: input, environment: environment, in: folder.url)
    }

    /// Writes a cassette.
    func write(_ interactions: [Interaction], to name: String = "api.har") throws {
        try Cassette(interactions: interactions).write(to: folder[name])
    }

    /// A GET request with a JSON response.
    func got(
        _ path: String,
        _ body: String = #"{"id": 1, "at": 1}"#,
        headers: HeaderList = [:]
    ) -> Interaction {
        Interaction(
            request: Interaction.Request(url: "https://api.example.com/v1/\(path)", headers: headers),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "application/json"],
                    body: Interaction.Body(body)
                )
            )
        )
    }
}
