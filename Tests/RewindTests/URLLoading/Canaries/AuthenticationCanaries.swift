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

        @Test("The platform never ends a task that a protocol answers by asking for Basic authentication")
        func platformHangs() async {
            await #expect(
                processExitsWith: .alarm,
                "401 Basic without a delegate: if it ends now, no response need stand in for a 401."
            ) {
                alarm(1)
                _ = await Outcome(of: CanaryProtocol.url, in: AsksForBasic.session())
            }
        }

        @Test("The platform never ends a live task that a server answers by asking for Basic authentication")
        func platformHangsLive() async {
            await #expect(
                processExitsWith: .alarm,
                "A live 401 Basic without a delegate: if it ends now, LiveExchange need not give up the challenge."
            ) {
                alarm(1)
                let server = try ConversationServer()
                _ = await Outcome(of: server["unauthorized/Basic"])
            }
        }

        @Test("The platform takes a task to the network when a credential is offered for a protocol's 401")
        func platformGoesLive() async {
            await #expect(
                processExitsWith: .exitCode(200),
                "401 Basic with a credential: if the protocol is asked again now, no response need stand in for a 401."
            ) {
                alarm(5)
                let server = try ConversationServer()
                let delegate = CredentialDelegate()
                AsksForBasic.session(delegate).dataTask(with: server["status/200"]).resume()
                let status = await delegate.story.whole()?.status
                exit(server.requestCount == 1 ? Int32(status ?? 1) : 1)
            }
        }

        @Test("The platform delivers a 401 that asks for another kind of authentication")
        func platformDeliversDigest() async {
            let outcome = await AsksForDigest.session().handed(CanaryProtocol.url)
            #expect(
                outcome?.status == 401,
                "401 Digest: if it is challenged or hangs now, a response has to stand in for it as for Basic."
            )
            #expect(outcome?.text == "who?")
        }

        @Test(
            "A 401 is delivered whole where nobody has a credential",
            arguments: ["Basic", "Digest", "Bearer", "Negotiate"]
        )
        func delivered(scheme: String) async throws {
            let texts = try await Canary.recordAndReplay { server in
                let url = server["unauthorized/\(scheme)"]
                let story = await URLSession.told(url)
                #expect(story?.status == 401)
                return [
                    await URLSession.shared.handed(url)?.text, await Outcome(of: url).text, story?.text,
                    await URLSession.shared.handedFile(url)?.text,
                    await URLSession.shared.downloaded(url).text,
                ]
            }
            #expect(texts == Array(repeating: "who?", count: 5))
        }

        @Test("A 401 to an upload is delivered whole where nobody has a credential")
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
            "A replayed 401 ends and stays off the network where a delegate offers a credential",
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
                return await delegate.story.whole() != nil
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

        @Test("A recording with a credential that the server takes ends, and so does its replay")
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
            var stories: [TaskStory?] = []
            var counts: [Int] = []
            for mode in [RecordingMode.once, .never] {
                let story = try await withCassette("canary", in: folder.url, mode: mode) { _ in
                    let delegate = CredentialDelegate()
                    URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                        .dataTask(with: url).resume()
                    return await delegate.story.whole()
                }
                stories.append(story)
                counts.append(server.requestCount)
            }
            #expect(stories[0] != nil)
            #expect(stories[0] == stories[1])
            #expect(counts[0] == counts[1])
        }

        @Test("A response that asks for a password shows its URL to everybody who is given it")
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
                    let handed = await withCheckedContinuation { continuation in
                        URLSession.shared.dataTask(with: CanaryProtocol.url) { data, response, error in
                            continuation.resume(returning: Outcome(data, response, error))
                        }.resume()
                    }
                    if handed.url == nil { missing += 1 }
                }
                return missing
            }
            #expect(missing == 0)
        }
    }
#endif
