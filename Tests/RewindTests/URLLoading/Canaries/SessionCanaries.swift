#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindServer
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct SessionCanaries {
        @Test("Foundation crashes when an invalidated session creates a task")
        func platformTrapsOnAnInvalidatedSession() async {
            await #expect(
                processExitsWith: .trap,
                "A task of an invalidated session: if it fails with an error now, LiveLoader may invalidate its inner session."
            ) {
                alarm(5)
                let session = URLSession(configuration: .ephemeral)
                session.invalidateAndCancel()
                _ = session.dataTask(with: CanaryProtocol.url)
            }
        }

        @Test("Invalidating a session during a recording does not affect other sessions")
        func invalidated() async throws {
            let outcomes = try await Canary.recordAndReplay { server in
                let delegate = DataDelegate()
                let finished = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                finished.dataTask(with: server["chunks/3"]).resume()
                finished.finishTasksAndInvalidate()
                let text = await delegate.log.result()?.text
                let ended = DataDelegate()
                let cancelled = URLSession(configuration: .default, delegate: ended, delegateQueue: nil)
                cancelled.dataTask(with: server["slow/200"]).resume()
                try await Task.sleep(nanoseconds: 30_000_000)
                cancelled.invalidateAndCancel()
                #expect(await ended.log.result() != nil)
                return [text, await Outcome(of: server["visit"]).text]
            }
            #expect(outcomes[0]?.count == 45)
            #expect(outcomes[1] == "visit 1")
        }

        @Test("After its session was invalidated, a stubber returns a new session")
        func stubberSession() async throws {
            let folder = try TemporaryDirectory()
            let answers = [
                Canary.interaction(Interaction.Response(status: 200)),
                Canary.interaction(Interaction.Response(status: 201)),
            ]
            try HARFormat.write(Cassette(interactions: answers)).write(to: folder["canary.har"])
            let stubber = try Stubber(cassette: "canary", in: folder.url, mode: .never)
            let first = stubber.session
            let status = await first.handlerOutcome(of: CanaryProtocol.url)?.status
            first.invalidateAndCancel()
            let next = await stubber.session.handlerOutcome(of: CanaryProtocol.url)?.status
            _ = try stubber.eject()
            #expect([status, next] == [200, 201])
        }

        private static func webSocketFailure() async -> String? {
            guard let url = URL(string: "ws://127.0.0.1:1/") else { return nil }
            let value = AsyncValue<String>()
            let task = URLSession.shared.webSocketTask(with: url)
            task.resume()
            task.receive { result in
                if case .failure(let error) = result {
                    value.set("\((error as NSError).domain) \((error as NSError).code)")
                } else {
                    value.set("a message")
                }
            }
            return await value.get()
        }

        @Test("Foundation on Linux has no web sockets")
        func platformHasNoWebSockets() async {
            let failure = await Self.webSocketFailure()
            #expect(
                failure == "\(NSURLErrorDomain) \(NSURLErrorUnsupportedURL)",
                "webSocketTask: if web sockets work now, Rewind does not intercept them; document that with the URL schemes."
            )
        }

        @Test("A web socket fails in a scope as it does without Rewind")
        func webSocket() async throws {
            let failure = try await Canary.replay([]) { await Self.webSocketFailure() }
            #expect(failure == "\(NSURLErrorDomain) \(NSURLErrorUnsupportedURL)")
        }

        private static func serverWithTrailers() throws -> (HTTPServer, URL) {
            let server = HTTPServer { _, response in
                try response.begin(status: 200)
                try response.write(Data("body".utf8))
                try response.end(trailers: ["X-Sum": "1"])
            }
            return (server, try server.start())
        }

        @Test("Foundation crashes at the end of a live answer with trailers")
        func platformTrapsOnTrailers() async {
            await #expect(
                processExitsWith: .trap,
                "Trailers: if they work now, `HeaderBytes` need not drop them."
            ) {
                alarm(5)
                let (server, url) = try Self.serverWithTrailers()
                defer { server.stop() }
                _ = await Outcome(of: url)
            }
        }

        @Test("An answer with trailers is recorded without them")
        func trailersAreDropped() async throws {
            let folder = try TemporaryDirectory()
            let (server, url) = try Self.serverWithTrailers()
            defer { server.stop() }
            for mode in [RecordingMode.once, .never] {
                let text = try await withCassette("canary", in: folder.url, mode: mode) { _ in
                    await Outcome(of: url).text
                }
                #expect(text == "body")
            }
        }

        @Test("A recorded answer with a Trailer field is replayed without trailers")
        func trailersAreReplayed() async throws {
            let response = Interaction.Response(
                status: 200,
                headers: ["Trailer": "X-Sum", "Transfer-Encoding": "chunked"],
                body: Interaction.Body("body")
            )
            let texts = try await Canary.replay(Array(repeating: Canary.interaction(response), count: 3)) {
                let url = CanaryProtocol.url
                return [
                    await URLSession.shared.handlerOutcome(of: url)?.text, await Outcome(of: url).text,
                    await URLSession.shared.downloadOutcome(of: url).text,
                ]
            }
            #expect(texts == ["body", "body", "body"])
        }
    }
#endif
