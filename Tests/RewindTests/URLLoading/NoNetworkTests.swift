#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindServer
    import RewindTestSupport
    import Testing

    /// Checks modes without network in child processes that the kernel kills when they open a network socket.
    @Suite(.timeLimit(.minutes(5)))
    struct NoNetworkTests {
        @Test("The filter kills a process that makes a request")
        func endsWhoAsks() async {
            await #expect(processExitsWith: .signal(SIGSYS)) {
                let server = try ConversationServer()
                try NetworkFilter.install()
                _ = await Outcome(of: server["json"])
            }
        }

        @Test("The filter kills a process that reads a URL without a session")
        func endsWhoReads() async {
            await #expect(processExitsWith: .signal(SIGSYS)) {
                try NetworkFilter.install()
                _ = try? Data(contentsOf: URL(string: "http://127.0.0.1:9/")!)
            }
        }

        @Test("A replay opens no socket")
        func replays() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryDirectory()
                let servers = try (0..<2).map { _ in try ConversationServer() }
                func talk(_ mode: RecordingMode) async throws -> [String] {
                    try await withCassette("talk", in: folder.url, mode: mode) { _ in
                        try await Self.conversation(with: servers, in: folder)
                    }
                }
                let live = try await talk(.all)
                for server in servers { server.stop() }
                try NetworkFilter.install()
                for mode in [RecordingMode.never, .once] {
                    let replayed = try await talk(mode)
                    #expect(replayed == live)
                    #expect(live.count == TaskForm.allCases.count + 12)
                }
            }
        }

        @Test("Misses, missing cassettes, stubs and forbidNetwork() open no socket")
        func refuses() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryDirectory()
                try NetworkFilter.install()
                var configuration = Stubber.Configuration()
                configuration.requestMatchingFailed = { _ in }
                let url = try #require(URL(string: "http://127.0.0.1:9/x"))
                var outcomes: [Outcome] = []
                try await withCassette("none", in: folder.url, mode: .never, configuration: configuration) {
                    _ in
                    outcomes.append(contentsOf: await Self.everyForm(url, in: folder))
                }
                try await withStubs(configuration: configuration) { stubber in
                    outcomes.append(contentsOf: await Self.everyForm(url, in: folder))
                    stubber.stub(.path("/x"), respond: .redirect(to: "http://example.com/away"))
                    stubber.stub(.host("example.com"), respond: .failure(.cannotFindHost))
                    outcomes.append(contentsOf: await Self.everyForm(url, in: folder))
                    stubber.forbidNetwork()
                    stubber.removeStubs()
                    outcomes.append(contentsOf: await Self.everyForm(url, in: folder))
                }
                #expect(outcomes.allSatisfy { $0.failure != nil })
                #expect(outcomes.count == 4 * (TaskForm.allCases.count + 1))
            }
        }

        @Test("A server that plays a cassette opens no connection")
        func serves() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryDirectory()
                let answer = Interaction(
                    request: Interaction.Request(url: "http://upstream.invalid/x"),
                    outcome: .response(
                        Interaction.Response(status: 302, headers: ["Location": "http://upstream.invalid/y"])
                    )
                )
                try HARFormat.write(Cassette(interactions: [answer])).write(to: folder["talk.har"])
                var configuration = Stubber.Configuration()
                configuration.requestMatchingFailed = { _ in }
                let server = try CassetteServer(
                    upstream: URL(string: "http://upstream.invalid")!,
                    cassette: "talk",
                    in: folder.url,
                    mode: .never,
                    configuration: configuration
                )
                let url = try server.start()
                let client = Process()
                client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                client.arguments = ["python3", "-c", Self.client, url.absoluteString]
                let (input, output) = (Pipe(), Pipe())
                client.standardInput = input
                client.standardOutput = output
                try client.run()
                try NetworkFilter.install()
                // The client waits for this line: it must start outside of the filter and make its requests inside.
                try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
                let statuses = try output.fileHandleForReading.readToEnd().map {
                    String(decoding: $0, as: UTF8.self)
                }
                client.waitUntilExit()
                #expect(statuses == "302 501 403 501 \n")
                try server.stop()
            }
        }
    }

    extension NoNetworkTests {
        /// Makes a recorded request, an unrecorded one, one to another host as through a proxy, and one for a tunnel.
        static let client = """
            import http.client, sys, urllib.parse
            sys.stdin.readline()
            url = urllib.parse.urlsplit(sys.argv[1])
            for method, target in [("GET", "/x"), ("GET", "/y"), ("GET", "http://example.com/"), ("CONNECT", "a:443")]:
                connection = http.client.HTTPConnection(url.hostname, url.port)
                connection.request(method, target)
                print(connection.getresponse().status, end=" ")
            print()
            """

        /// Makes a request with every call, and one without a session.
        static func everyForm(_ url: URL, in folder: TemporaryDirectory) async -> [Outcome] {
            var outcomes: [Outcome] = []
            for form in TaskForm.allCases { outcomes.append(await observe(form, URLRequest(url: url), folder)) }
            return outcomes + [Outcome(try? Data(contentsOf: url), nil, URLError(.unknown))]
        }

        /// Makes requests with every kind of answer and returns descriptions of the results.
        static func conversation(with servers: [ConversationServer], in folder: TemporaryDirectory) async throws
            -> [String]
        {
            let server = servers[0]
            var told: [String] = []
            func tell(_ outcome: Outcome) {
                told.append("\(outcome.status) \(outcome.failure ?? "") \(outcome.body.base64EncodedString())")
            }
            for form in TaskForm.allCases {
                tell(await observe(form, URLRequest(url: server["echo/\(form.rawValue)"]), folder))
            }
            for path in [
                "redirect/3", "cookies", "echo/cookies", "unauthorized/Basic", "unauthorized/Bearer",
                "status/407",
                "cut", "chunks/3", "json",
            ] {
                tell(await Outcome(of: server[path]))
            }
            var away = URLComponents(url: server["location/302"], resolvingAgainstBaseURL: true)
            away?.query = servers[1]["json"].absoluteString
            tell(await Outcome(of: away?.url ?? server.url))
            var cached = URLRequest(url: server["json"])
            cached.cachePolicy = .reloadIgnoringLocalCacheData
            tell(await Outcome(of: cached, in: URLSession(configuration: .default)))
            told.append(try Data(contentsOf: server["json"]).base64EncodedString())
            return told
        }

        private static func observe(_ form: TaskForm, _ request: URLRequest, _ folder: TemporaryDirectory) async
            -> Outcome
        {
            let file = folder["body"]
            try? Data("sent".utf8).write(to: file)
            return await form.perform(
                request,
                body: Data("sent".utf8),
                file: file,
                session: .shared,
                configuration: .ephemeral
            ).outcome
        }
    }
#endif
