#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct CancellationCanaries {
        private static let cancelled = "\(NSURLErrorDomain) \(NSURLErrorCancelled)"

        @Test(
            "A task cancelled before the end of its answer fails as cancelled and receives nothing more"
        )
        func cancelledBeforeTheEnd() async throws {
            let pieces = (0..<4).map { Interaction.Body.Chunk(offset: Double($0) * 60, count: 2) }
            let response = Interaction.Response(
                status: 200,
                body: Interaction.Body(Data("aabbccdd".utf8), chunks: pieces)
            )
            let timing = Interaction.Timing(wait: 60, receive: 3_600_000)
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let delays: [UInt64] = [0, 1, 20, 80, 140, 200]
            let answers = Array(repeating: Canary.interaction(response, timing: timing), count: delays.count)
            let endings = try await Canary.replay(answers, configuration: configuration) {
                var logs: [TaskLog] = []
                for delay in delays {
                    let delegate = DataDelegate()
                    // On a busy machine the cancellation may be minutes late.
                    let patient = URLSessionConfiguration.default
                    patient.timeoutIntervalForRequest = 7200
                    let session = URLSession(configuration: patient, delegate: delegate, delegateQueue: nil)
                    let task = session.dataTask(with: CanaryProtocol.url)
                    task.resume()
                    try await Task.sleep(nanoseconds: delay * 1_000_000)
                    task.cancel()
                    logs.append(delegate.log)
                }
                var failures: [String?] = []
                for log in logs { failures.append(await log.result()?.failure) }
                try await Task.sleep(nanoseconds: 300_000_000)
                #expect(logs.map(\.endCount) == Array(repeating: 1, count: delays.count))
                return failures
            }
            #expect(endings == Array(repeating: Self.cancelled, count: delays.count))
        }

        @Test("A recording that is cancelled fails as cancelled, and so does its replay")
        func cancelledWhileRecording() async throws {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            let result = try await withCassette("canary", in: folder.url, mode: .once) { _ in
                let delegate = DataDelegate()
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                let task = session.dataTask(with: server["chunks/10000"])
                task.resume()
                #expect(await Canary.eventually { !delegate.log.current.pieces.isEmpty })
                task.cancel()
                return await delegate.log.result()
            }
            #expect(result?.failure == Self.cancelled)
            let replayed = try await withCassette("canary", in: folder.url, mode: .never) { stubber in
                let work = Task { await Outcome(of: server["chunks/10000"]) }
                try await stubber.waitForRequests(.path("/chunks/*"))
                work.cancel()
                return await work.value
            }
            #expect(replayed.failure == Self.cancelled)
        }

        @Test("Cancelling a Swift task cancels its request")
        func cancelledSwiftTask() async throws {
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let slow = Canary.interaction(
                Interaction.Response(status: 200, body: Interaction.Body("slow")),
                timing: Interaction.Timing(wait: 3_600_000)
            )
            let outcome = try await Canary.replay([slow], configuration: configuration) {
                let work = Task { await Outcome(of: CanaryProtocol.url) }
                try await Task.sleep(nanoseconds: 50_000_000)
                work.cancel()
                return await work.value
            }
            #expect(outcome.failure == Self.cancelled)
        }

        @Test("Tasks cancelled at any moment end once")
        func storm() async throws {
            let count = 300
            let pieces = [
                Interaction.Body.Chunk(offset: 0, count: 2), Interaction.Body.Chunk(offset: 1, count: 2),
            ]
            let response = Interaction.Response(
                status: 200,
                body: Interaction.Body(Data("aabb".utf8), chunks: pieces)
            )
            let answer = Canary.interaction(response, timing: Interaction.Timing(wait: 1, receive: 2))
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let ends = try await Canary.replay(
                Array(repeating: answer, count: count),
                configuration: configuration
            ) {
                let ends = Locked(0)
                for number in 0..<count {
                    let task = URLSession.shared.dataTask(with: CanaryProtocol.url) { _, _, _ in
                        ends.withLock { $0 += 1 }
                    }
                    task.resume()
                    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(number * 20)) {
                        task.cancel()
                        task.cancel()
                    }
                }
                _ = await Canary.eventually { ends.withLock { $0 } == count }
                try await Task.sleep(nanoseconds: 50_000_000)
                return ends.withLock { $0 }
            }
            #expect(ends == count)
        }

        @Test("Cancelling a finished task has no effect")
        func cancelledAfterTheEnd() async throws {
            let outcomes = try await Canary.recordAndReplay { server in
                let value = AsyncValue<Outcome>()
                let running = Locked<URLSessionTask?>(nil)
                let task = URLSession.shared.dataTask(with: server["json"]) { data, response, error in
                    running.withLock { $0 }?.cancel()
                    value.set(Outcome(data, response, error))
                }
                running.withLock { $0 = task }
                task.resume()
                let outcome = await value.get()
                task.cancel()
                task.suspend()
                task.resume()
                return outcome
            }
            #expect(outcomes?.status == 200)
        }

        @Test("Suspending and resuming a finished task has no effect before its end is delivered")
        func resumedAfterTheEnd() async throws {
            let ended = try await Canary.replay([Canary.interaction(Interaction.Response(status: 200))]) {
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                queue.isSuspended = true
                let value = AsyncValue<Outcome>()
                let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
                let task = session.dataTask(with: CanaryProtocol.url) { value.set(Outcome($0, $1, $2)) }
                task.resume()
                _ = await Canary.eventually { queue.operationCount > 0 }
                for _ in 0..<3 {
                    task.suspend()
                    task.resume()
                }
                try await Task.sleep(nanoseconds: 50_000_000)
                queue.isSuspended = false
                return (outcome: await value.get(), error: task.error)
            }
            #expect(ended.outcome?.status == 200)
            #expect(ended.error == nil)
        }

        @Test("A task cancelled before it is resumed ends without a request and is not pending")
        func cancelledBeforeItsStart() async throws {
            var configuration = Stubber.Configuration()
            configuration.inFlightTimeout = 600
            let answer = Canary.interaction(Interaction.Response(status: 200))
            let isUnused = try await Canary.replay([answer], configuration: configuration) {
                let value = AsyncValue<Outcome>()
                let task = URLSession.shared.dataTask(with: CanaryProtocol.url) {
                    value.set(Outcome($0, $1, $2))
                }
                task.cancel()
                task.resume()
                #expect(await value.get()?.failure == Self.cancelled)
                return await Outcome(of: CanaryProtocol.url).status == 200
            }
            #expect(isUnused)
        }

        @Test("A task cancelled while its body is read plays nothing and does not use the network")
        func cancelledWhileTheBodyIsRead() async throws {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            let pipe = folder["body"]
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let failure = try await withCassette("canary", in: folder.url, mode: .once) { _ in
                let value = AsyncValue<Outcome>()
                var request = URLRequest(url: server["echo"])
                request.httpMethod = "POST"
                request.httpBodyStream = InputStream(url: pipe)
                let task = URLSession.shared.dataTask(with: request) { value.set(Outcome($0, $1, $2)) }
                task.resume()
                try await Task.sleep(nanoseconds: 50_000_000)
                task.cancel()
                let failure = await value.get()?.failure
                let writing = Thread { try? Data("late body".utf8).write(to: pipe) }
                writing.start()
                try await Task.sleep(nanoseconds: 200_000_000)
                return failure
            }
            #expect(failure == Self.cancelled)
            #expect(server.requestCount == 0)
            let recorded = try Cassette(contentsOf: folder["canary.har"]).interactions
            #expect(recorded.map { $0.failure?.code } == [NSURLErrorCancelled])
            #expect(recorded.first?.request.body == Interaction.Body("late body"))
        }

        @Test("A task suspended while its body is read receives its answer after it is resumed")
        func suspendedWhileTheBodyIsRead() async throws {
            let folder = try TemporaryDirectory()
            let pipe = folder["body"]
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let text = "late body"
            let answer = Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: CanaryProtocol.url.absoluteString,
                    body: Interaction.Body(text)
                ),
                outcome: .response(Interaction.Response(status: 201))
            )
            let status = try await Canary.replay([answer]) {
                let value = AsyncValue<Outcome>()
                var request = URLRequest(url: CanaryProtocol.url)
                request.httpMethod = "POST"
                request.httpBodyStream = InputStream(url: pipe)
                let task = URLSession.shared.dataTask(with: request) { value.set(Outcome($0, $1, $2)) }
                task.resume()
                task.suspend()
                Thread { try? Data(text.utf8).write(to: pipe) }.start()
                try await Task.sleep(nanoseconds: 100_000_000)
                task.resume()
                return await value.get()?.status
            }
            #expect(status == 201)
        }

        @Test("A cancelled download has no file")
        func cancelledDownload() async throws {
            let pieces = [
                Interaction.Body.Chunk(offset: 0, count: 2), Interaction.Body.Chunk(offset: 40, count: 2),
            ]
            let response = Interaction.Response(
                status: 200,
                body: Interaction.Body(Data("aabb".utf8), chunks: pieces)
            )
            let timing = Interaction.Timing(wait: 10, receive: 3_600_000)
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let answer = Canary.interaction(response, timing: timing)
            let result = try await Canary.replay([answer], configuration: configuration) {
                let delegate = DownloadDelegate()
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                let task = session.downloadTask(with: CanaryProtocol.url)
                task.resume()
                try await Task.sleep(nanoseconds: 30_000_000)
                task.cancel()
                let result = await delegate.log.result()
                try await Task.sleep(nanoseconds: 50_000_000)
                return result
            }
            #expect(result?.failure == Self.cancelled)
            #expect(result?.file == nil)
        }

        private final class CountsStarts: CanaryProtocol {
            static let starts = Locked(0)

            override func startLoading() {
                Self.starts.withLock { $0 += 1 }
            }
        }

        @Test("Foundation calls startLoading again when a suspended task is resumed")
        func platformStartsAgain() async throws {
            let task = CountsStarts.session().dataTask(with: CanaryProtocol.url)
            task.resume()
            _ = await Canary.eventually { CountsStarts.starts.withLock { $0 } == 1 }
            task.suspend()
            task.resume()
            let isStartedAgain = await Canary.eventually { CountsStarts.starts.withLock { $0 } == 2 }
            #expect(
                isStartedAgain,
                "Suspended and resumed: if startLoading is not called again now, CassetteURLProtocol need not store its load."
            )
            task.cancel()
        }

        @Test("A suspended task receives its complete answer once after it is resumed", arguments: [0, 1, 5])
        func suspended(turns: Int) async throws {
            let pieces = (0..<4).map { Interaction.Body.Chunk(offset: Double($0) * 40, count: 2) }
            let response = Interaction.Response(
                status: 200,
                body: Interaction.Body(Data("aabbccdd".utf8), chunks: pieces)
            )
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let answer = Canary.interaction(response, timing: Interaction.Timing(wait: 40, receive: 130))
            let result = try await Canary.replay([answer], configuration: configuration) {
                let delegate = DataDelegate()
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                let task = session.dataTask(with: CanaryProtocol.url)
                task.suspend()
                task.resume()
                task.resume()
                for _ in 0..<turns {
                    try await Task.sleep(nanoseconds: 15_000_000)
                    task.suspend()
                    try await Task.sleep(nanoseconds: 45_000_000)
                    task.resume()
                }
                let result = await delegate.log.result()
                #expect(delegate.log.endCount == 1)
                return result
            }
            #expect(result?.text == "aabbccdd")
            #expect(result?.failure == nil)
        }

        @Test("A task suspended while it is recorded continues after it is resumed")
        func suspendedWhileRecording() async throws {
            let text = try await Canary.recordAndReplay { server in
                let delegate = DataDelegate()
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                let task = session.dataTask(with: server["chunks/4"])
                task.resume()
                try await Task.sleep(nanoseconds: 40_000_000)
                task.suspend()
                try await Task.sleep(nanoseconds: 150_000_000)
                task.resume()
                return await delegate.log.result()?.text
            }
            #expect(text == (0..<4).map { "data: chunk \($0)\n\n" }.joined())
        }

        @Test("A task cancelled while it is suspended ends and is not pending", arguments: [false, true])
        func cancelledWhileSuspended(isStarted: Bool) async throws {
            let timing = Interaction.Timing(wait: 3_600_000)
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            configuration.inFlightTimeout = 600
            let answer = Canary.interaction(Interaction.Response(status: 200), timing: timing)
            let failure = try await Canary.replay([answer], configuration: configuration) {
                let value = AsyncValue<Outcome>()
                let task = URLSession.shared.dataTask(with: CanaryProtocol.url) {
                    value.set(Outcome($0, $1, $2))
                }
                if isStarted { task.resume() }
                task.suspend()
                task.cancel()
                return await value.get()?.failure
            }
            #expect(failure == Self.cancelled)
        }
    }
#endif
