#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct TimeoutCanaries {
        /// A timeout that is not a reasonable number of seconds.
        enum Extreme: String, CaseIterable, Codable, Sendable {
            case infinite, greatest, undefined, negative, zero

            var seconds: TimeInterval {
                switch self {
                case .infinite: .infinity
                case .greatest: .greatestFiniteMagnitude
                case .undefined: .nan
                case .negative: -1
                case .zero: 0
                }
            }
        }

        @Test(
            "Foundation crashes for a timeout that overflows an integer",
            arguments: [Extreme.infinite, .greatest, .undefined]
        )
        func platformTraps(extreme: Extreme) async {
            await #expect(
                processExitsWith: .trap,
                "A request's timeout of .infinity: if it works now, TimeoutLimit may be deleted."
            ) { [extreme] in
                alarm(5)
                let server = try ConversationServer()
                var request = URLRequest(url: server["json"])
                request.timeoutInterval = extreme.seconds
                _ = await Outcome(of: request)
            }
        }

        @Test("Foundation crashes for a configuration's timeout that overflows an integer")
        func platformTrapsOnAConfiguration() async {
            await #expect(
                processExitsWith: .trap,
                "A configuration's timeout of .infinity: if it works now, TimeoutLimit may be deleted."
            ) {
                alarm(5)
                let server = try ConversationServer()
                let configuration = URLSessionConfiguration.default
                configuration.timeoutIntervalForRequest = .infinity
                _ = await Outcome(of: server["json"], in: URLSession(configuration: configuration))
            }
        }

        @Test(
            "A request with an extreme timeout is answered",
            arguments: [Extreme.infinite, .greatest, .undefined]
        )
        func requests(extreme: Extreme) async throws {
            let statuses = try await Canary.recordAndReplay { server in
                var request = URLRequest(url: server["json"])
                request.timeoutInterval = extreme.seconds
                return [
                    await URLSession.shared.handlerOutcome(of: request)?.status,
                    await Outcome(of: request).status,
                    await URLSession.delegateResult(of: request)?.status,
                ]
            }
            #expect(statuses == [200, 200, 200])
        }

        @Test(
            "A request of a session with extreme timeouts is answered",
            arguments: [Extreme.infinite, .greatest, .undefined]
        )
        func sessions(extreme: Extreme) async throws {
            let statuses = try await Canary.recordAndReplay { server in
                let configuration = URLSessionConfiguration.default
                configuration.timeoutIntervalForRequest = extreme.seconds
                configuration.timeoutIntervalForResource = extreme.seconds
                let session = URLSession(configuration: configuration)
                return [
                    await session.handlerOutcome(of: server["json"])?.status,
                    await session.downloadOutcome(of: server["json"]).status,
                    await session.handlerOutcome(of: server["redirect/1"])?.status,
                ]
            }
            #expect(statuses == [200, 200, 200])
        }

        @Test("A request with a timeout of zero or less ends", arguments: [Extreme.negative, .zero])
        func noTime(extreme: Extreme) async throws {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            for mode in [RecordingMode.once, .never] {
                let outcomes = try await withCassette("canary", in: folder.url, mode: mode) { _ in
                    var request = URLRequest(url: server["empty"])
                    request.timeoutInterval = extreme.seconds
                    return [
                        // Without any answer, nothing would be recorded: the other request may time out.
                        await URLSession.shared.handlerOutcome(of: server["json"]),
                        await URLSession.shared.handlerOutcome(of: request),
                    ]
                }
                #expect(!outcomes.contains(nil))
            }
        }

        @Test(
            "A recorded answer is played with an extreme time scale",
            arguments: Extreme.allCases
        )
        func timing(extreme: Extreme) async throws {
            var configuration = Stubber.Configuration()
            configuration.timing = .scaled(extreme.seconds)
            let answer = Canary.interaction(
                Interaction.Response(status: 200),
                timing: Interaction.Timing(wait: 0, receive: 0)
            )
            let status = try await Canary.replay([answer], configuration: configuration) {
                await URLSession.shared.handlerOutcome(of: CanaryProtocol.url)?.status
            }
            #expect(status == 200)
        }
    }
#endif
