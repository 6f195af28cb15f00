#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ClientCallbackCanaries {
        private final class InPieces: CanaryProtocol {
            override func startLoading() {
                begin()
                load("one", "two", "three")
                finish()
            }
        }

        @Test("The platform serves a protocol that says each thing once")
        func platformServesTheLeast() async {
            let session = CanaryProtocol.session()
            let expected = "whole"
            #expect(await session.handed(CanaryProtocol.url)?.text == expected)
            #expect(await Outcome(of: CanaryProtocol.url, in: session).text == expected)
        }

        @Test("The platform gives completion handlers and async callers only the last piece of a body")
        func platformLosesPieces() async throws {
            let session = InPieces.session()
            let handed = await session.handed(CanaryProtocol.url)
            let awaited = await Outcome(of: CanaryProtocol.url, in: session)
            let mended: Comment =
                "Several didLoad: if the body is whole now, TaskClient.held and TaskInternals.audience may go."
            #expect(handed?.text == "three", mended)
            #expect(awaited.text == "three", mended)
        }

        @Test("A body that came in pieces is whole for completion handlers, async callers and uploads")
        func bodyIsWhole() async throws {
            let outcomes = try await Canary.recordAndReplay { server in
                let url = server["chunks/4"]
                var post = URLRequest(url: url)
                post.httpMethod = "POST"
                let (data, response) = try await URLSession.shared.upload(for: post, from: Data("up".utf8))
                return [
                    await URLSession.shared.handed(url), await Outcome(of: url),
                    Outcome(data, response, nil),
                ]
            }
            let whole = (0..<4).map { "data: chunk \($0)\n\n" }.joined()
            #expect(outcomes.map { $0?.text } == [whole, whole, whole])
        }

        @Test("A completion handler is given the whole body also where the session has a delegate")
        func bodyIsWholeBesideADelegate() async throws {
            let outcome = try await Canary.recordAndReplay { server in
                let session = URLSession(
                    configuration: .default,
                    delegate: DataDelegate(),
                    delegateQueue: nil
                )
                return await session.handed(server["chunks/3"])
            }
            #expect(outcome?.body.count == 45)
        }

        @Test("A delegate is given a body in the pieces it came in")
        func piecesForADelegate() async throws {
            let story = try await Canary.recordAndReplay { server in
                await URLSession.told(server["chunks/3"])
            }
            #expect(story?.pieces == (0..<3).map { "data: chunk \($0)\n\n" })
        }

        @Test("A body in pieces played at its recorded pace is whole for everybody")
        func bodyAtItsPaceIsWhole() async throws {
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let outcomes = try await Canary.recordAndReplay(configuration: configuration) { server in
                let url = server["chunks/3"]
                return [
                    await URLSession.shared.handed(url)?.text, await Outcome(of: url).text,
                    await URLSession.told(url)?.text, await URLSession.shared.handedFile(url)?.text,
                ]
            }
            let whole = (0..<3).map { "data: chunk \($0)\n\n" }.joined()
            #expect(outcomes == [whole, whole, whole, whole])
        }

        @Test("No piece is lost where a cassette says that the body ended before its last piece")
        func piecesAfterTheEnd() async throws {
            let pieces = [
                Interaction.Body.Chunk(offset: 0, count: 3), Interaction.Body.Chunk(offset: 60, count: 3),
            ]
            let response = Interaction.Response(
                status: 200,
                body: Interaction.Body(Data("onetwo".utf8), chunks: pieces)
            )
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let text = try await Canary.replay(
                [Canary.interaction(response, timing: Interaction.Timing(wait: 1, receive: 5))],
                configuration: configuration
            ) { await Outcome(of: CanaryProtocol.url).text }
            #expect(text == "onetwo")
        }

        private final class Redirecting: CanaryProtocol {
            override func startLoading() {
                guard let url = request.url,
                    let head = HTTPURLResponse(
                        url: url,
                        statusCode: 302,
                        httpVersion: nil,
                        headerFields: ["Location": "/next"]
                    )
                else { return }
                let next = URLRequest(url: url.appendingPathComponent("next"))
                client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: head)
            }
        }

        @Test("The platform stops the process when a protocol says that it was redirected")
        func platformTrapsOnRedirects() async {
            await #expect(
                processExitsWith: .trap,
                "wasRedirectedTo: if it is served now, Load.proceed and TaskClient.redirect may leave redirects to it."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: Redirecting.session())
            }
        }

        @Test("A redirect is followed for everybody")
        func redirectsAreFollowed() async throws {
            let statuses = try await Canary.recordAndReplay { server in
                let url = server["redirect/2"]
                return [
                    await URLSession.shared.handed(url)?.status, await Outcome(of: url).status,
                    await URLSession.told(url)?.status, await URLSession.shared.handedFile(url)?.status,
                    await URLSession.shared.downloaded(url).status,
                ]
            }
            #expect(statuses == [200, 200, 200, 200, 200])
        }

        @Test("A delegate is asked about each redirect and may refuse it", arguments: [true, false])
        func redirectsAreAskedAbout(follows: Bool) async throws {
            struct Told: Equatable {
                let story: TaskStory?
                let paths: [String]
            }
            let told = try await Canary.recordAndReplay { server in
                let delegate = RedirectDelegate(follows: follows)
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: server["redirect/2"]).resume()
                return Told(story: await delegate.story.whole(), paths: delegate.paths)
            }
            #expect(told.story?.status == (follows ? 200 : 302))
            #expect(told.paths == (follows ? ["/redirect/1", "/json"] : ["/redirect/1"]))
        }

        private final class WithoutAHead: CanaryProtocol {
            override func startLoading() {
                finish()
            }
        }

        @Test("The platform stops the process when an awaited answer has no head")
        func platformTrapsWithoutAHead() async {
            await #expect(
                processExitsWith: .trap,
                "didFinishLoading without a response: if it is an error now, Load.begin and Load.end need not see to it."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: WithoutAHead.session())
            }
        }

        @Test(
            "Every recorded answer ends in a response or an error, however odd its head",
            arguments: [
                Interaction.Response(status: 0), Interaction.Response(status: -1),
                Interaction.Response(status: 99), Interaction.Response(status: 1_000_000),
                Interaction.Response(status: 200, httpVersion: "HTTP/9.9"),
                Interaction.Response(status: 200, httpVersion: "odd"),
                Interaction.Response(
                    status: 200,
                    headers: ["": "nameless", "a b": "spaced", "X-Line": "one\r\ntwo"]
                ),
                Interaction.Response(status: 302),
                Interaction.Response(status: 302, headers: ["Location": "mailto:ada@canary.invalid"]),
                Interaction.Response(status: 302, headers: ["Location": "http://[odd"]),
                Interaction.Response(status: 304),
                Interaction.Response(status: 101),
                Interaction.Response(status: 407, headers: ["Proxy-Authenticate": "Basic"]),
            ]
        )
        func oddHeads(response: Interaction.Response) async throws {
            let ended = try await Canary.replay(
                Array(repeating: Canary.interaction(response), count: 4)
            ) {
                let url = CanaryProtocol.url
                _ = await Outcome(of: url)
                _ = await URLSession.shared.downloaded(url)
                return [
                    await URLSession.shared.handed(url) != nil, await URLSession.told(url) != nil,
                ]
            }
            #expect(ended == [true, true])
        }

        private final class Late: CanaryProtocol {
            override func startLoading() {
                respond(text: "in time")
                // Sound as nonisolated(unsafe): nobody but the block uses the protocol after this.
                nonisolated(unsafe) let late = self
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { late.load("late") }
            }
        }

        private final class AfterCancellation: CanaryProtocol {
            override func startLoading() {
                begin()
            }

            override func stopLoading() {
                // Sound as nonisolated(unsafe): nobody but the block uses the protocol after this.
                nonisolated(unsafe) let late = self
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { late.respond(text: "late") }
            }
        }

        @Test("The platform stops the process when a protocol goes on after the end of its task")
        func platformTrapsOnLateAnswers() async {
            await #expect(
                processExitsWith: .trap,
                "A client call after completion: if it is ignored now, TaskClient.release and Load's states may be simpler."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: Late.session())
                try await Task.sleep(nanoseconds: 1_000_000_000)
            }
        }

        @Test("The platform stops the process when a protocol goes on after its task was cancelled")
        func platformTrapsOnAnswersAfterCancellation() async {
            await #expect(
                processExitsWith: .trap,
                "A client call after cancel: if it is ignored now, TaskClient.release and Load's states may be simpler."
            ) {
                alarm(5)
                let task = AfterCancellation.session().dataTask(with: CanaryProtocol.url) { _, _, _ in }
                task.resume()
                try await Task.sleep(nanoseconds: 100_000_000)
                task.cancel()
                try await Task.sleep(nanoseconds: 1_000_000_000)
            }
        }
    }
#endif
