import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A replayed 401 neither hangs nor uses the network; a delegate is asked for a credential as in URLSession.
final class AuthenticationTests: XCTestCase {
    private let ada = URLCredential(user: "ada", password: "lovelace", persistence: .none)
    private let eve = URLCredential(user: "eve", password: "guess", persistence: .none)

    func testACredentialOfTheDelegateIsUsedLiveAndOnReplay() async throws {
        let result = try await RecordAndReplay { servers in await self.observe(servers[0]["basic"], self.ada) }
        XCTAssertEqual(result.live, result.replayed)
        // The delegate receives the body of the 401 too, and appends the second body to it.
        XCTAssertEqual(result.live.outcome.text, "who?welcome")
        XCTAssertEqual(
            result.live.events,
            [
                "response 401", "data 4", "challenge engines after 0", "response 200", "data 7", "complete",
            ]
        )
        XCTAssertEqual(result.cassette.interactions.map { $0.response?.status }, [401, 200])
    }

    func testTheDelegateIsAskedAgainAfterAWrongCredential() async throws {
        let result = try await RecordAndReplay { servers in await self.observe(servers[0]["basic"], self.eve) }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.outcome.status, 401)
        XCTAssertEqual(
            result.live.events,
            [
                "response 401", "data 4", "challenge engines after 0", "response 401", "data 4",
                "challenge engines after 1", "complete",
            ]
        )
    }

    func testADelegateWithoutACredentialReceivesThe401() async throws {
        let result = try await RecordAndReplay { servers in await self.observe(servers[0]["basic"], nil) }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.outcome.status, 401)
        XCTAssertEqual(result.live.outcome.text, "who?")
    }

    func testACredentialOfTheSessionsStorageIsUsed() async throws {
        let ada = URLCredential(user: "ada", password: "lovelace", persistence: .forSession)
        let result = try await RecordAndReplay { servers in
            let configuration = URLSessionConfiguration.ephemeral
            let url = servers[0]["basic"]
            let space = URLProtectionSpace(
                host: url.host ?? "",
                port: url.port ?? 0,
                protocol: "http",
                realm: "engines",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            )
            configuration.urlCredentialStorage?.setDefaultCredential(ada, for: space)
            return await Outcome(of: url, in: URLSession(configuration: configuration))
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.text, "welcome")
    }

    func testTheCredentialIsNotInTheCassette() async throws {
        let result = try await RecordAndReplay { servers in await self.observe(servers[0]["basic"], self.ada) }
        let text = String(decoding: HARFormat.write(result.cassette), as: UTF8.self)
        XCTAssertFalse(text.contains("YWRhOmxvdmVsYWNl"), "the credential in base64")
        let redacted = Data("ada:REDACTEDpasswordN1X".utf8).base64EncodedString()
        XCTAssertTrue(text.contains("Basic \(redacted)"), "the user stays")
    }

    private func observe(_ url: URL, _ credential: URLCredential?) async -> TaskForm.Observation {
        var answers = TaskObserver.Answers()
        answers.credential = credential
        let observer = TaskObserver(answers)
        let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
        let outcome = await observer.outcome(of: session.dataTask(with: url))
        return TaskForm.Observation(outcome: outcome, events: observer.events)
    }
}
