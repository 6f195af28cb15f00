#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindServer
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct AuthenticationCanaries {
        private final class AsksForBasic: CanaryProtocol {
            override func startLoading() {
                respond(401, headers: ["WWW-Authenticate": #"Basic realm="canary""#], text: "who?")
            }
        }

        private final class AsksForDigest: CanaryProtocol {
            override func startLoading() {
                let challenge = #"Digest realm="canary", nonce="x""#
                respond(401, headers: ["WWW-Authenticate": challenge], text: "who?")
            }
        }

        @Test("Foundation never ends a task whose protocol answers with a Basic challenge")
        func platformHangs() async {
            await #expect(
                processExitsWith: .alarm,
                "401 Basic without a delegate: if the task ends now, UnchallengedResponse may be deleted."
            ) {
                alarm(1)
                _ = await Outcome(of: CanaryProtocol.url, in: AsksForBasic.session())
            }
        }

        @Test("Foundation never ends a live task whose server answers with a Basic challenge")
        func platformHangsLive() async {
            await #expect(
                processExitsWith: .alarm,
                "A live 401 Basic without a delegate: if the task ends now, LiveExchange need not cancel the challenge."
            ) {
                alarm(1)
                let server = try ConversationServer()
                _ = await Outcome(of: server["unauthorized/Basic"])
            }
        }

        @Test("Foundation sends a task to the network if a delegate offers a credential for a protocol's 401")
        func platformGoesLive() async {
            await #expect(
                processExitsWith: .exitCode(200),
                "401 Basic with a credential: if the protocol is called again now, UnchallengedResponse may be deleted."
            ) {
                alarm(5)
                let server = try ConversationServer()
                let delegate = CredentialDelegate()
                AsksForBasic.session(delegate).dataTask(with: server["status/200"]).resume()
                let status = await delegate.log.result()?.status
                exit(server.requestCount == 1 ? Int32(status ?? 1) : 1)
            }
        }

        @Test("Foundation delivers a 401 with another authentication scheme")
        func platformDeliversDigest() async {
            let outcome = await AsksForDigest.session().handlerOutcome(of: CanaryProtocol.url)
            #expect(
                outcome?.status == 401,
                "401 Digest: if it is challenged or hangs now, it needs an UnchallengedResponse too."
            )
            #expect(outcome?.text == "who?")
        }

        @Test(
            "A 401 is delivered completely if there is no credential",
            arguments: ["Basic", "Digest", "Bearer", "Negotiate"]
        )
        func delivered(scheme: String) async throws {
            let texts = try await Canary.recordAndReplay { server in
                let url = server["unauthorized/\(scheme)"]
                let result = await URLSession.delegateResult(of: url)
                #expect(result?.status == 401)
                return [
                    await URLSession.shared.handlerOutcome(of: url)?.text, await Outcome(of: url).text,
                    result?.text,
                    await URLSession.shared.downloadHandlerOutcome(of: url)?.text,
                    await URLSession.shared.downloadOutcome(of: url).text,
                ]
            }
            #expect(texts == Array(repeating: "who?", count: 5))
        }

        @Test("A 401 to an upload is delivered completely if there is no credential")
        func deliveredToUploads() async throws {
            let outcome = try await Canary.recordAndReplay { server in
                var request = URLRequest(url: server["unauthorized/Basic"])
                request.httpMethod = "POST"
                let (data, response) = try await URLSession.shared.upload(
                    for: request,
                    from: Data("up".utf8)
                )
                return Outcome(data, response, nil)
            }
            #expect(outcome.status == 401)
            #expect(outcome.text == "who?")
        }

        @Test(
            "A replayed 401 ends without using the network if a delegate offers a credential",
            arguments: ["Basic", "Digest"]
        )
        func staysOffTheNetwork(scheme: String) async throws {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            let conversation = { () async -> Bool in
                let delegate = CredentialDelegate()
                let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: server["unauthorized/\(scheme)"]).resume()
                return await delegate.log.result() != nil
            }
            let recorded = try await withCassette("canary", in: folder.url, mode: .once) { _ in
                await conversation()
            }
            #expect(recorded)
            let count = server.requestCount
            let replayed = try await withCassette("canary", in: folder.url, mode: .never) { _ in
                await conversation()
            }
            #expect(replayed)
            #expect(server.requestCount == count)
        }

        @Test("A recording with an accepted credential ends, and so does its replay")
        func takenCredential() async throws {
            let server = HTTPServer { request, response in
                let isKnown = request.headers["Authorization"] != nil
                try response.respond(
                    status: isKnown ? 200 : 401,
                    headers: isKnown ? [:] : ["WWW-Authenticate": #"Basic realm="canary""#],
                    body: Data((isKnown ? "welcome" : "who?").utf8)
                )
            }
            let url = try server.start()
            defer { server.stop() }
            let folder = try TemporaryDirectory()
            var results: [TaskResult?] = []
            var counts: [Int] = []
            for mode in [RecordingMode.once, .never] {
                let result = try await withCassette("canary", in: folder.url, mode: mode) { _ in
                    let delegate = CredentialDelegate()
                    URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                        .dataTask(with: url).resume()
                    return await delegate.log.result()
                }
                results.append(result)
                counts.append(server.requestCount)
            }
            #expect(results[0] != nil)
            #expect(results[0] == results[1])
            #expect(counts[0] == counts[1])
        }

        @Test("A 401 response has its URL")
        func responseHasItsURL() async throws {
            let response = Interaction.Response(
                status: 401,
                headers: ["WWW-Authenticate": #"Basic realm="canary""#],
                body: Interaction.Body("who?")
            )
            let count = 600
            let missing = try await Canary.replay(
                Array(repeating: Canary.interaction(response), count: count * 2)
            ) {
                var missing = 0
                for _ in 0..<count {
                    if await Outcome(of: CanaryProtocol.url).url == nil { missing += 1 }
                    let handled = await withCheckedContinuation { continuation in
                        URLSession.shared.dataTask(with: CanaryProtocol.url) { data, response, error in
                            continuation.resume(returning: Outcome(data, response, error))
                        }.resume()
                    }
                    if handled.url == nil { missing += 1 }
                }
                return missing
            }
            #expect(missing == 0)
        }
    }
#endif
