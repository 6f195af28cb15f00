#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    /// Helpers that the canary tests share.
    enum Canary {
        /// Runs a conversation with a real server while it is recorded, and again from the cassette with the server stopped.
        /// - Returns: The result of the recording, after a check that the replay has the same result.
        static func recordAndReplay<Result: Equatable>(
            configuration: Stubber.Configuration = Stubber.Configuration(),
            sourceLocation: SourceLocation = #_sourceLocation,
            _ conversation: (ConversationServer) async throws -> Result
        ) async throws -> Result {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            let live = try await recordingFailures("canary", in: folder.url, configuration: configuration) {
                _ in
                try await conversation(server)
            }
            server.stop()
            let count = server.requestCount
            let replayed = try await withCassette(
                "canary",
                in: folder.url,
                mode: .never,
                configuration: configuration
            ) {
                _ in try await conversation(server)
            }
            #expect(server.requestCount == count, sourceLocation: sourceLocation)
            #expect(live == replayed, sourceLocation: sourceLocation)
            return live
        }

        /// Replays interactions from a cassette file.
        static func replay<Result>(
            _ interactions: [Interaction],
            configuration: Stubber.Configuration = Stubber.Configuration(),
            _ body: () async throws -> Result
        ) async throws -> Result {
            let folder = try TemporaryDirectory()
            try HARFormat.write(Cassette(interactions: interactions)).write(to: folder["canary.har"])
            return try await withCassette(
                "canary",
                in: folder.url,
                mode: .never,
                configuration: configuration
            ) { stubber in
                // A canary tests what the app receives, and not the end of the scope.
                defer { _ = stubber.takeMisses() }
                return try await body()
            }
        }

        /// An interaction with ``CanaryProtocol/url``, which no server listens on.
        static func interaction(
            _ response: Interaction.Response,
            timing: Interaction.Timing = Interaction.Timing()
        ) -> Interaction {
            Interaction(
                request: Interaction.Request(url: CanaryProtocol.url.absoluteString),
                outcome: .response(response),
                timing: timing
            )
        }

        /// Waits at most ten seconds for a condition that another thread makes true.
        static func eventually(within seconds: Int = 10, _ condition: () -> Bool) async -> Bool {
            let end = ContinuousClock.now.advanced(by: .seconds(seconds))
            while ContinuousClock.now < end {
                if condition() { return true }
                try? await Task.sleep(nanoseconds: 5_000_000)
            }
            return condition()
        }
    }

    /// A value that another thread sets.
    final class AsyncValue<Value: Sendable>: Sendable {
        private let value = Locked<Value?>(nil)

        func set(_ value: Value) {
            self.value.withLock { $0 = value }
        }

        /// Waits for the value; `nil` if it is not set within ten seconds.
        func get() async -> Value? {
            _ = await Canary.eventually { value.withLock { $0 != nil } }
            return value.withLock { $0 }
        }
    }

    extension URLSession {
        /// The outcome that a data task passes to its completion handler; `nil` if the handler is not called.
        func handlerOutcome(of request: URLRequest) async -> Outcome? {
            let value = AsyncValue<Outcome>()
            dataTask(with: request) { value.set(Outcome($0, $1, $2)) }.resume()
            return await value.get()
        }

        /// The outcome that a data task passes to its completion handler; `nil` if the handler is not called.
        func handlerOutcome(of url: URL) async -> Outcome? {
            await handlerOutcome(of: URLRequest(url: url))
        }

        /// The outcome that a download task passes to its completion handler, with the content of the file as the body;
        /// `nil` if the handler is not called.
        func downloadHandlerOutcome(of url: URL) async -> Outcome? {
            let value = AsyncValue<Outcome>()
            downloadTask(with: url) { location, response, error in
                value.set(Outcome(location.flatMap { try? Data(contentsOf: $0) }, response, error))
            }.resume()
            return await value.get()
        }

        /// The outcome of an async download, with the content of the file as the body.
        func downloadOutcome(of url: URL) async -> Outcome {
            do {
                let (location, response) = try await download(from: url)
                return Outcome(try Data(contentsOf: location), response, nil)
            } catch {
                return Outcome(nil, nil, error)
            }
        }

        /// What the delegate of a data task receives; `nil` if it does not receive the end.
        static func delegateResult(of request: URLRequest) async -> TaskResult? {
            let delegate = DataDelegate()
            URLSession(configuration: .default, delegate: delegate, delegateQueue: nil).dataTask(with: request)
                .resume()
            return await delegate.log.result()
        }

        /// What the delegate of a data task receives; `nil` if it does not receive the end.
        static func delegateResult(of url: URL) async -> TaskResult? {
            await delegateResult(of: URLRequest(url: url))
        }
    }
#endif
