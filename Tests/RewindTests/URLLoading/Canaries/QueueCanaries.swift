#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct QueueCanaries {
        /// A call of a session or a task.
        enum Touch: String, CaseIterable, Codable, Sendable {
            case makeSessionAndTask, makeTask, resume, cancel, suspend, priority

            func touch(_ task: URLSessionTask, of session: URLSession) {
                switch self {
                case .makeSessionAndTask:
                    _ = URLSession(configuration: .ephemeral).dataTask(with: CanaryProtocol.url)
                case .makeTask: _ = session.dataTask(with: CanaryProtocol.url)
                case .resume: task.resume()
                case .cancel: task.cancel()
                case .suspend: task.suspend()
                case .priority: task.priority = URLSessionTask.highPriority
                }
            }
        }

        private final class Touching: CanaryProtocol {
            static let victim = Locked<(Touch, URLSessionTask, URLSession)?>(nil)

            override func startLoading() {
                if let (touch, task, session) = Self.victim.withLock({ $0 }) { touch.touch(task, of: session) }
                respond(text: "touched")
            }
        }

        @Test(
            "Foundation crashes when a protocol uses any session or task in startLoading",
            arguments: Touch.allCases
        )
        func platformTrapsOnTouching(touch: Touch) async {
            await #expect(
                processExitsWith: .trap,
                "A task used in startLoading: if that is allowed now, LiveLoader no longer needs its own queue."
            ) { [touch] in
                alarm(5)
                let other = URLSession(configuration: .ephemeral)
                let task = other.dataTask(with: CanaryProtocol.url)
                Touching.victim.withLock { $0 = (touch, task, other) }
                _ = await Outcome(of: CanaryProtocol.url, in: Touching.session())
            }
        }

        private final class LoadsInCanInit: CanaryProtocol {
            override class func canInit(with request: URLRequest) -> Bool {
                URLSession.shared.dataTask(with: CanaryProtocol.url).resume()
                return true
            }
        }

        private final class RegistersInCanInit: CanaryProtocol {
            override class func canInit(with request: URLRequest) -> Bool {
                URLProtocol.registerClass(CanaryProtocol.self)
            }
        }

        @Test("Foundation crashes when a protocol loads a request in canInit")
        func platformTrapsOnLoadingInCanInit() async {
            await #expect(
                processExitsWith: .trap,
                "A session used in canInit: if that is allowed now, canInit may do more than look up its route."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: LoadsInCanInit.session())
            }
        }

        @Test("Foundation crashes when a registered protocol registers another in canInit")
        func platformTrapsOnRegisteringInCanInit() async {
            await #expect(
                processExitsWith: .trap,
                "registerClass in canInit: if that is allowed now, canInit may do more than look up its route."
            ) {
                alarm(5)
                _ = URLProtocol.registerClass(RegistersInCanInit.self)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.protocolClasses = []
                _ = await Outcome(of: CanaryProtocol.url, in: URLSession(configuration: configuration))
            }
        }

        private final class Blocking: CanaryProtocol {
            static let isBlocking = Locked(false)

            override func startLoading() {
                Self.isBlocking.withLock { $0 = true }
                Thread.sleep(forTimeInterval: 4)
            }
        }

        @Test("In Foundation, a protocol that blocks delays every session")
        func platformMakesEverybodyWait() async {
            await #expect(
                processExitsWith: .exitCode(2),
                "Blocking in startLoading: if other sessions continue now, a body may be read in startLoading."
            ) {
                alarm(5)
                Blocking.session().dataTask(with: CanaryProtocol.url) { _, _, _ in }.resume()
                _ = await Canary.eventually { Blocking.isBlocking.withLock { $0 } }
                let isServed = Locked(false)
                // Creating and resuming a task block too.
                Thread {
                    CanaryProtocol.session().dataTask(with: CanaryProtocol.url) { _, _, _ in
                        isServed.withLock { $0 = true }
                    }.resume()
                }.start()
                try await Task.sleep(nanoseconds: 500_000_000)
                exit(isServed.withLock { $0 } ? 0 : 2)
            }
        }

        // There is no canary for the crash when a client is called off its task's queue: it depends on load and chance, so
        // one run proves nothing.

        @Test("Eight threads with five hundred requests each receive their own answers")
        func underLoad() async throws {
            let folder = try TemporaryDirectory()
            let interactions = (0..<4000).map { number in
                Interaction(
                    request: Interaction.Request(url: "http://canary.invalid/\(number)"),
                    outcome: .response(Interaction.Response(status: 200, body: Interaction.Body("\(number)")))
                )
            }
            try HARFormat.write(Cassette(interactions: interactions)).write(to: folder["canary.har"])
            let stubber = try Stubber(cassette: "canary", in: folder.url, mode: .never)
            let session = stubber.session
            let tally = Locked((right: 0, threads: 0))
            for thread in 0..<8 {
                Thread {
                    for number in thread * 500..<thread * 500 + 500 {
                        let isOver = DispatchSemaphore(value: 0)
                        let url = CanaryProtocol.url.appendingPathComponent("\(number)")
                        session.dataTask(with: url) { data, response, error in
                            let text = Outcome(data, response, error).text
                            tally.withLock { $0.right += text == "\(number)" ? 1 : 0 }
                            isOver.signal()
                        }.resume()
                        guard isOver.wait(timeout: .now() + 120) == .success else { break }
                    }
                    tally.withLock { $0.threads += 1 }
                }.start()
            }
            #expect(await Canary.eventually(within: 30) { tally.withLock { $0.threads } == 8 })
            #expect(tally.withLock { $0.right } == 4000)
            _ = try stubber.eject()
        }

        @Test("Scopes can begin and end while other requests are routed")
        func cassettesComeAndGo() async throws {
            let folder = try TemporaryDirectory()
            let answers = (0..<40).map {
                Canary.interaction(Interaction.Response(status: 200, body: Interaction.Body("\($0)")))
            }
            try HARFormat.write(Cassette(interactions: answers)).write(to: folder["canary.har"])
            let texts = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var texts: [String] = []
                        for _ in 0..<4 {
                            texts += try await withCassette("canary", in: folder.url, mode: .never) { _ in
                                var texts: [String] = []
                                for _ in 0..<40 { texts.append(await Outcome(of: CanaryProtocol.url).text) }
                                return texts
                            }
                        }
                        return texts
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let expected = (0..<4).flatMap { _ in (0..<40).map(String.init) }
            #expect(texts == Array(repeating: expected, count: 8))
        }

        @Test("A request made in a completion handler is answered")
        func requestsFromCallbacks() async {
            // In a child process: a handler runs without the task-local of the code that created it, so its requests use
            // the only stubber, and are refused if there are several.
            await #expect(processExitsWith: .success) {
                alarm(5)
                let text = try await Canary.recordAndReplay { server in
                    let value = AsyncValue<String>()
                    URLSession.shared.dataTask(with: server["json"]) { _, _, _ in
                        let next = URLSession.shared.dataTask(with: server["visit"]) {
                            value.set(Outcome($0, $1, $2).text)
                        }
                        next.priority = URLSessionTask.highPriority
                        next.resume()
                    }.resume()
                    return await value.get()
                }
                #expect(text == "visit 1")
            }
        }

        @Test("Callbacks for recordings and misses may use a session")
        func requestsFromNotices() async {
            await #expect(
                processExitsWith: .success,
                "Callbacks must not run on the queue that all sessions share."
            ) {
                alarm(5)
                let folder = try TemporaryDirectory()
                let server = try ConversationServer()
                let touched = Locked(0)
                let touch: @Sendable () -> Void = {
                    URLSession(configuration: .ephemeral).dataTask(with: CanaryProtocol.url).cancel()
                    touched.withLock { $0 += 1 }
                }
                var configuration = Stubber.Configuration()
                configuration.didBeginRecording = { _ in touch() }
                configuration.didEndRecording = { _ in touch() }
                configuration.requestMatchingFailed = { _ in touch() }
                for mode in [RecordingMode.once, .never] {
                    try await withCassette("canary", in: folder.url, mode: mode, configuration: configuration) {
                        _ in
                        _ = await Outcome(of: server["json"])
                        if mode == .never { _ = await Outcome(of: server["unknown"]) }
                    }
                }
                #expect(touched.withLock { $0 } == 3)
            }
        }

        @Test("A body that is slow to read does not delay other requests")
        func slowBodies() async throws {
            let folder = try TemporaryDirectory()
            let pipe = folder["body"]
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let text = "slow body"
            let post = Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: CanaryProtocol.url.absoluteString,
                    body: Interaction.Body(text)
                ),
                outcome: .response(Interaction.Response(status: 201))
            )
            let answers = [post, Canary.interaction(Interaction.Response(status: 200))]
            let (quick, slow) = try await Canary.replay(answers) {
                let value = AsyncValue<Outcome>()
                var request = URLRequest(url: CanaryProtocol.url)
                request.httpMethod = "POST"
                request.httpBodyStream = InputStream(url: pipe)
                URLSession.shared.dataTask(with: request) { value.set(Outcome($0, $1, $2)) }.resume()
                let quick = await URLSession.shared.handlerOutcome(of: CanaryProtocol.url)
                let writing = Thread { try? Data(text.utf8).write(to: pipe) }
                writing.start()
                return (quick, await value.get())
            }
            #expect(quick?.status == 200)
            #expect(slow?.status == 201)
        }

        @Test("An answer with recorded timing does not delay other requests")
        func slowAnswers() async throws {
            let slow = Canary.interaction(
                Interaction.Response(status: 200, body: Interaction.Body("slow")),
                timing: Interaction.Timing(wait: 700)
            )
            let quick = Interaction(
                request: Interaction.Request(url: "http://canary.invalid/quick"),
                outcome: .response(Interaction.Response(status: 200, body: Interaction.Body("quick")))
            )
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let order = try await Canary.replay([slow, quick], configuration: configuration) {
                await withTaskGroup(of: String.self) { group in
                    group.addTask { await Outcome(of: CanaryProtocol.url).text }
                    group.addTask {
                        await Outcome(of: CanaryProtocol.url.appendingPathComponent("quick")).text
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(order == ["quick", "slow"])
        }
    }
#endif
