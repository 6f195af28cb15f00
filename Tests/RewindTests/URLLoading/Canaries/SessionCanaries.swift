#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindServer
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct SessionCanaries {
        @Test("The platform stops the process when a task is made of an invalidated session")
        func platformTrapsOnAnInvalidatedSession() async {
            await #expect(
                processExitsWith: .trap,
                "A task of an invalidated session: if it fails in order now, LiveLoader's inner session may be invalidated."
            ) {
                alarm(5)
                let session = URLSession(configuration: .ephemeral)
                session.invalidateAndCancel()
                _ = session.dataTask(with: CanaryProtocol.url)
            }
        }

        @Test("Sessions that are invalidated during a recording take no other session with them")
        func invalidated() async throws {
            let outcomes = try await Canary.recordAndReplay { server in
                let delegate = DataDelegate()
                let finished = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                finished.dataTask(with: server["chunks/3"]).resume()
                finished.finishTasksAndInvalidate()
                let text = await delegate.story.whole()?.text
                let ended = DataDelegate()
                let cancelled = URLSession(configuration: .default, delegate: ended, delegateQueue: nil)
                cancelled.dataTask(with: server["slow/200"]).resume()
                try await Task.sleep(nanoseconds: 30_000_000)
                cancelled.invalidateAndCancel()
                #expect(await ended.story.whole() != nil)
                return [text, await Outcome(of: server["visit"]).text]
            }
            #expect(outcomes[0]?.count == 45)
            #expect(outcomes[1] == "visit 1")
        }

        @Test("A stubber's session may be invalidated, and its next one serves")
        func stubberSession() async throws {
            let folder = try TemporaryDirectory()
            let answers = [
                Canary.interaction(Interaction.Response(status: 200)),
                Canary.interaction(Interaction.Response(status: 201)),
            ]
            try HARFormat.write(Cassette(interactions: answers)).write(to: folder["canary.har"])
            let stubber = try Stubber(cassette: "canary", in: folder.url, mode: .never)
            let first = stubber.session
            let status = await first.handed(CanaryProtocol.url)?.status
            first.invalidateAndCancel()
            let next = await stubber.session.handed(CanaryProtocol.url)?.status
            _ = try stubber.eject()
            #expect([status, next] == [200, 201])
        }

        private static func webSocketFailure() async -> String? {
            guard let url = URL(string: "ws://127.0.0.1:1/") else { return nil }
            let arrival = Arrival<String>()
            let task = URLSession.shared.webSocketTask(with: url)
            task.resume()
            task.receive { result in
                if case .failure(let error) = result {
                    arrival.bring("\((error as NSError).domain) \((error as NSError).code)")
                } else {
                    arrival.bring("a message")
                }
            }
            return await arrival.get()
        }

        @Test("The platform has no web sockets")
        func platformHasNoWebSockets() async {
            let failure = await Self.webSocketFailure()
            #expect(
                failure == "\(NSURLErrorDomain) \(NSURLErrorUnsupportedURL)",
                "webSocketTask: if there are web sockets now, they pass Rewind by; say so where schemes are described."
            )
        }

        @Test("A web socket in a cassette's scope fails as it does without")
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

        @Test("The platform stops the process at the end of a live answer with trailers")
        func platformTrapsOnTrailers() async {
            await #expect(
                processExitsWith: .trap,
                "Trailers: if they are served now, a server that sends them can be recorded."
            ) {
                alarm(5)
                let (server, url) = try Self.serverWithTrailers()
                defer { server.stop() }
                _ = await Outcome(of: url)
            }
        }

        // The inner session of a recording is the platform's, so what its protocol does cannot be kept from it: a
        // server that sends trailers cannot be recorded until the platform is mended.
        @Test("The platform stops the process also when an answer with trailers is recorded")
        func platformTrapsOnRecordingTrailers() async {
            await #expect(
                processExitsWith: .trap,
                "Trailers: if they are served now, a server that sends them can be recorded, and this test be turned about."
            ) {
                alarm(5)
                // Nothing is written before the end, and whoever is stopped removes no folder.
                let folder = URL(fileURLWithPath: "/nonexistent")
                let (server, url) = try Self.serverWithTrailers()
                defer { server.stop() }
                _ = try await withCassette("canary", in: folder, mode: .once) { _ in await Outcome(of: url) }
            }
        }

        @Test("A recorded answer that announces trailers is replayed without them")
        func trailersAreReplayed() async throws {
            let response = Interaction.Response(
                status: 200,
                headers: ["Trailer": "X-Sum", "Transfer-Encoding": "chunked"],
                body: Interaction.Body("body")
            )
            let texts = try await Canary.replay(Array(repeating: Canary.interaction(response), count: 3)) {
                let url = CanaryProtocol.url
                return [
                    await URLSession.shared.handed(url)?.text, await Outcome(of: url).text,
                    await URLSession.shared.downloaded(url).text,
                ]
            }
            #expect(texts == ["body", "body", "body"])
        }
    }
#endif
