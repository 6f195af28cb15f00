import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors of a client, as its caller sees them live and on replay.
@Suite(.timeLimit(.minutes(5)))
struct RespondFailureTests {
    private let folder: TemporaryDirectory
    private let request = Interaction.Request(url: "http://example.invalid/a?token=4f9a7c21e0b84d5f9d3c")

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// The error of a request while it is recorded, and on replay.
    private func errors(_ error: any Error & Sendable) async throws -> (live: any Error, replayed: any Error) {
        let name = UUID().uuidString
        func run(_ mode: RecordingMode) async throws -> any Error {
            let outcome = try await recordingFailures(name, in: folder.url, mode: mode) { _ in
                do {
                    _ = try await Stubber.respond(to: request) { _ in throw error }
                    return nil as (any Error)?
                } catch {
                    return error
                }
            }
            return try #require(outcome)
        }
        return (try await run(.once), try await run(.never))
    }

    private enum Plain: Error { case first, second(number: Int) }
    private struct Described: Error, CustomStringConvertible {
        let description: String
    }
    private struct Localized: LocalizedError { var errorDescription: String? { "It did not work." } }
    private final class Object: Error {}

    @Test(
        "A URLError comes back as an equal one",
        arguments: [
            URLError(.timedOut), URLError(.cannotConnectToHost), URLError(.cancelled),
            URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: "bad", "number": 3]),
        ]
    )
    func urlErrors(_ error: URLError) async throws {
        let (live, replayed) = try await errors(error)
        #expect(live as? URLError == error)
        #expect(replayed as? URLError == error)
    }

    @Test("A CancellationError and a POSIXError come back with their types")
    func systemErrors() async throws {
        #expect(try await errors(CancellationError()).replayed is CancellationError)
        let (live, replayed) = try await errors(POSIXError(.ECONNREFUSED))
        #expect(live as? POSIXError == POSIXError(.ECONNREFUSED))
        #expect((replayed as? POSIXError)?.code == .ECONNREFUSED)
    }

    @Test("Another error comes back with its domain, code and description")
    func otherErrors() async throws {
        let domain = "RewindTests.RespondFailureTests"
        let rows: [(any Error & Sendable, domain: String, code: Int, text: String)] = [
            (Plain.first, "\(domain).Plain", 1, "first"),
            (Plain.second(number: 7), "\(domain).Plain", 0, "second(number: 7)"),
            (
                Described(description: "HTTPClientError.connectTimeout"), "\(domain).Described", 1,
                "HTTPClientError.connectTimeout"
            ),
            (Localized(), "\(domain).Localized", 1, "It did not work."),
            (
                NSError(domain: "Own", code: 12, userInfo: [NSLocalizedDescriptionKey: "own text"]), "Own", 12,
                "own text"
            ),
            (
                CocoaError(.fileNoSuchFile), NSCocoaErrorDomain, 4,
                CocoaError(.fileNoSuchFile).localizedDescription
            ),
        ]
        for (error, domain, code, text) in rows {
            let replayed = try await errors(error).replayed as NSError
            #expect(replayed.domain == domain)
            #expect(replayed.code == code)
            #expect(replayed.localizedDescription == text)
            #expect(Interaction.Failure(replayed).message == text)
        }
    }

    @Test("While it is recorded, the caller gets the same error object")
    func sameObject() async throws {
        let error = Object()
        #expect(try await errors(error).live as? Object === error)
    }

    @Test("A secret in the description of an error is not written")
    func secrets() async throws {
        let error = Described(description: "GET /a?token=4f9a7c21e0b84d5f9d3c failed")
        let replayed = try await errors(error).replayed
        #expect(replayed.localizedDescription.hasPrefix("GET /a?token="))
        for file in folder.files {
            #expect(try !String(contentsOf: folder[file], encoding: .utf8).contains("4f9a7c21e0b84d5f9d3c"))
        }
    }

    @Test("A stub with a delayed recorded answer does not change the error of the client")
    func transformed() async throws {
        let error = Object()
        let thrown = try await recordingFailures(in: folder.url) { stubber -> (any Error)? in
            stubber.stub(.path("/a"), respond: .recorded.delayed(by: .milliseconds(1)))
            do {
                _ = try await Stubber.respond(to: request) { _ in throw error }
                return nil
            } catch {
                return error
            }
        }
        #expect(thrown as? Object === error)
    }

    @Test("A real client's failures are recorded and replayed: refused, and cut off in the body")
    func realFailures() async throws {
        let server = try ConversationServer()
        let closed = try ConversationServer()
        closed.stop()
        defer { server.stop() }
        let requests = [server["/json"], closed["/json"], server["/cut"]].map {
            Interaction.Request(url: $0.absoluteString)
        }
        var texts: [[String]] = []
        for mode in [RecordingMode.once, .never] {
            let outcomes = try await withCassette("talk", in: folder.url, mode: mode) { _ in
                var outcomes: [String] = []
                for request in requests {
                    do {
                        let response = try await Stubber.respond(to: request) {
                            try await SocketClient().send($0)
                        }
                        outcomes.append("\(response.status)")
                    } catch {
                        outcomes.append(Interaction.Failure(ofClient: error, to: nil).message)
                    }
                }
                return outcomes
            }
            texts.append(outcomes)
            server.stop()
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0][1].hasPrefix("refused(port: "))
        #expect(texts[0][2] == "truncated(afterBytes: 9)")
    }
}
