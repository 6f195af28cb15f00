#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    /// What the tests of one situation have in common.
    enum Canary {
        /// Holds a conversation with a real server while it is recorded, and again when the server is gone.
        /// - Returns: What came of the recording, after checking that the same came of the replay.
        static func recordAndReplay<Result: Equatable>(
            configuration: Stubber.Configuration = Stubber.Configuration(),
            sourceLocation: SourceLocation = #_sourceLocation,
            _ conversation: (ConversationServer) async throws -> Result
        ) async throws -> Result {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            let live = try await withCassette(
                "canary",
                in: folder.url,
                mode: .once,
                configuration: configuration
            ) {
                _ in try await conversation(server)
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

        /// Replays interactions from a cassette on the disk.
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
            ) { _ in try await body() }
        }

        /// An interaction of the address that no server has.
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

        /// Waits for a condition that another thread brings about, for ten seconds at most.
        static func eventually(within seconds: Int = 10, _ condition: () -> Bool) async -> Bool {
            let end = ContinuousClock.now.advanced(by: .seconds(seconds))
            while ContinuousClock.now < end {
                if condition() { return true }
                try? await Task.sleep(nanoseconds: 5_000_000)
            }
            return condition()
        }
    }

    /// A value that another thread hands over, waited for but not for ever.
    final class Arrival<Value: Sendable>: Sendable {
        private let value = Locked<Value?>(nil)

        func bring(_ value: Value) {
            self.value.withLock { $0 = value }
        }

        /// The value; `nil` where it does not come within ten seconds.
        func get() async -> Value? {
            _ = await Canary.eventually { value.withLock { $0 != nil } }
            return value.withLock { $0 }
        }
    }

    extension URLSession {
        /// What a data task gives its completion handler; `nil` where that is not called.
        func handed(_ request: URLRequest) async -> Outcome? {
            let arrival = Arrival<Outcome>()
            dataTask(with: request) { arrival.bring(Outcome($0, $1, $2)) }.resume()
            return await arrival.get()
        }

        /// What a data task gives its completion handler; `nil` where that is not called.
        func handed(_ url: URL) async -> Outcome? {
            await handed(URLRequest(url: url))
        }

        /// What a download task gives its completion handler, with what the file holds; `nil` where that is not called.
        func handedFile(_ url: URL) async -> Outcome? {
            let arrival = Arrival<Outcome>()
            downloadTask(with: url) { location, response, error in
                arrival.bring(Outcome(location.flatMap { try? Data(contentsOf: $0) }, response, error))
            }.resume()
            return await arrival.get()
        }

        /// What comes of awaiting a download, with what the file holds.
        func downloaded(_ url: URL) async -> Outcome {
            do {
                let (location, response) = try await download(from: url)
                return Outcome(try Data(contentsOf: location), response, nil)
            } catch {
                return Outcome(nil, nil, error)
            }
        }

        /// What a data task tells a delegate; `nil` where its end is not told.
        static func told(_ request: URLRequest) async -> TaskStory? {
            let delegate = DataDelegate()
            URLSession(configuration: .default, delegate: delegate, delegateQueue: nil).dataTask(with: request)
                .resume()
            return await delegate.story.whole()
        }

        /// What a data task tells a delegate; `nil` where its end is not told.
        static func told(_ url: URL) async -> TaskStory? {
            await told(URLRequest(url: url))
        }
    }
#endif
