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

        @Test("Foundation delivers the answer of a protocol that makes each callback once")
        func platformServesTheLeast() async {
            let session = CanaryProtocol.session()
            let expected = "whole"
            #expect(await session.handlerOutcome(of: CanaryProtocol.url)?.text == expected)
            #expect(await Outcome(of: CanaryProtocol.url, in: session).text == expected)
        }

        @Test("Foundation passes only the last chunk of a body to completion handlers and async callers")
        func platformLosesPieces() async throws {
            let session = InPieces.session()
            let handled = await session.handlerOutcome(of: CanaryProtocol.url)
            let awaited = await Outcome(of: CanaryProtocol.url, in: session)
            let fixed: Comment =
                "Several didLoad: if the body is complete now, CorelibsTaskClient.held and TaskInternals.audience may be deleted."
            #expect(handled?.text == "three", fixed)
            #expect(awaited.text == "three", fixed)
        }

        @Test("A body in chunks is complete for completion handlers, async callers and uploads")
        func bodyIsWhole() async throws {
            let outcomes = try await Canary.recordAndReplay { server in
                let url = server["chunks/4"]
                var post = URLRequest(url: url)
                post.httpMethod = "POST"
                let (data, response) = try await URLSession.shared.upload(for: post, from: Data("up".utf8))
                return [
                    await URLSession.shared.handlerOutcome(of: url), await Outcome(of: url),
                    Outcome(data, response, nil),
                ]
            }
            let whole = (0..<4).map { "data: chunk \($0)\n\n" }.joined()
            #expect(outcomes.map { $0?.text } == [whole, whole, whole])
        }

        @Test("A completion handler receives the complete body, even if the session has a delegate")
        func bodyIsWholeBesideADelegate() async throws {
            let outcome = try await Canary.recordAndReplay { server in
                let session = URLSession(
                    configuration: .default,
                    delegate: DataDelegate(),
                    delegateQueue: nil
                )
                return await session.handlerOutcome(of: server["chunks/3"])
            }
            #expect(outcome?.body.count == 45)
        }

        @Test("A delegate receives the recorded chunks of a body")
        func piecesForADelegate() async throws {
            let result = try await Canary.recordAndReplay { server in
                await URLSession.delegateResult(of: server["chunks/3"])
            }
            #expect(result?.pieces == (0..<3).map { "data: chunk \($0)\n\n" })
        }

        @Test("A body in chunks with recorded timing is complete for every call")
        func bodyAtItsPaceIsWhole() async throws {
            var configuration = Stubber.Configuration()
            configuration.timing = .recorded
            let outcomes = try await Canary.recordAndReplay(configuration: configuration) { server in
                let url = server["chunks/3"]
                return [
                    await URLSession.shared.handlerOutcome(of: url)?.text, await Outcome(of: url).text,
                    await URLSession.delegateResult(of: url)?.text,
                    await URLSession.shared.downloadHandlerOutcome(of: url)?.text,
                ]
            }
            let whole = (0..<3).map { "data: chunk \($0)\n\n" }.joined()
            #expect(outcomes == [whole, whole, whole, whole])
        }

        @Test("No chunk is lost if the recorded end is before the last chunk")
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

        @Test("Foundation crashes when a protocol calls wasRedirectedTo")
        func platformTrapsOnRedirects() async {
            await #expect(
                processExitsWith: .trap,
                "wasRedirectedTo: if it works now, Load.proceed and TaskClient.redirect may use it."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: Redirecting.session())
            }
        }

        @Test("Every call follows redirects")
        func redirectsAreFollowed() async throws {
            let statuses = try await Canary.recordAndReplay { server in
                let url = server["redirect/2"]
                return [
                    await URLSession.shared.handlerOutcome(of: url)?.status, await Outcome(of: url).status,
                    await URLSession.delegateResult(of: url)?.status,
                    await URLSession.shared.downloadHandlerOutcome(of: url)?.status,
                    await URLSession.shared.downloadOutcome(of: url).status,
                ]
            }
            #expect(statuses == [200, 200, 200, 200, 200])
        }

        @Test("A delegate may follow or refuse each redirect", arguments: [true, false])
        func redirectsAreAskedAbout(follows: Bool) async throws {
            struct Delegated: Equatable {
                let log: TaskResult?
                let paths: [String]
            }
            let result = try await Canary.recordAndReplay { server in
                let delegate = RedirectDelegate(follows: follows)
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: server["redirect/2"]).resume()
                return Delegated(log: await delegate.log.result(), paths: delegate.paths)
            }
            #expect(result.log?.status == (follows ? 200 : 302))
            #expect(result.paths == (follows ? ["/redirect/1", "/json"] : ["/redirect/1"]))
        }

        private final class WithoutAHead: CanaryProtocol {
            override func startLoading() {
                finish()
            }
        }

        @Test("Foundation crashes if the answer of an async call has no head")
        func platformTrapsWithoutAHead() async {
            await #expect(
                processExitsWith: .trap,
                "didFinishLoading without a response: if it is an error now, CorelibsTaskClient.finish need not check for it."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: WithoutAHead.session())
            }
        }

        @Test(
            "Every recorded answer with an unusual head ends in a response or an error",
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
                _ = await URLSession.shared.downloadOutcome(of: url)
                return [
                    await URLSession.shared.handlerOutcome(of: url) != nil,
                    await URLSession.delegateResult(of: url) != nil,
                ]
            }
            #expect(ended == [true, true])
        }

        private final class Late: CanaryProtocol {
            override func startLoading() {
                respond(text: "in time")
                // Sound as nonisolated(unsafe): only the block uses the protocol after this.
                nonisolated(unsafe) let late = self
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { late.load("late") }
            }
        }

        private final class AfterCancellation: CanaryProtocol {
            override func startLoading() {
                begin()
            }

            override func stopLoading() {
                // Sound as nonisolated(unsafe): only the block uses the protocol after this.
                nonisolated(unsafe) let late = self
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { late.respond(text: "late") }
            }
        }

        @Test("Foundation crashes if a protocol calls its client after the end of the task")
        func platformTrapsOnLateAnswers() async {
            await #expect(
                processExitsWith: .trap,
                "A client call after completion: if it is ignored now, CorelibsTaskClient.release and Load.State may be simplified."
            ) {
                alarm(5)
                _ = await Outcome(of: CanaryProtocol.url, in: Late.session())
                try await Task.sleep(nanoseconds: 1_000_000_000)
            }
        }

        @Test("Foundation crashes if a protocol calls its client after the task was cancelled")
        func platformTrapsOnAnswersAfterCancellation() async {
            await #expect(
                processExitsWith: .trap,
                "A client call after cancel: if it is ignored now, CorelibsTaskClient.release and Load.State may be simplified."
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
