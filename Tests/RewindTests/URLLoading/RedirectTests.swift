import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects follow the rules of the Fetch standard, live and on replay.
final class RedirectTests: XCTestCase {
    func testMethodAndBodyFollowTheFetchStandard() async throws {
        let expected: [(status: Int, method: String, next: String, keepsBody: Bool)] = [
            (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
            (307, "POST", "POST", true), (308, "POST", "POST", true), (301, "PUT", "PUT", true),
            (302, "DELETE", "DELETE", true), (303, "PUT", "GET", false), (307, "PATCH", "PATCH", true),
            (301, "GET", "GET", false), (303, "HEAD", "HEAD", false),
        ]
        for (status, method, next, keepsBody) in expected {
            let result = try await RecordAndReplay { servers in
                var request = URLRequest(url: servers[0]["location/\(status)?/echo"])
                request.httpMethod = method
                if method != "GET", method != "HEAD" { request.httpBody = Data("kept".utf8) }
                request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
                return await Outcome(of: request)
            }
            XCTAssertEqual(result.live, result.replayed, "\(status) \(method)")
            XCTAssertEqual(result.live.headers["X-Method"], next, "\(status) \(method)")
            XCTAssertEqual(result.live.text, keepsBody ? "kept" : "", "\(status) \(method)")
            XCTAssertEqual(result.cassette.interactions.map(\.request.method), [method, next])
        }
    }

    func testTargetsAreResolvedAgainstTheURLOfTheRequest() async throws {
        for (target, path) in [
            ("/json", "/json"), ("json", "/location/json"), ("../json", "/json"), ("?x=1", "/location/302"),
        ] {
            let url = URL(string: target, relativeTo: URL(string: "http://h/location/302"))?.absoluteURL.path
            XCTAssertEqual(url, path, "the expected value of the test is wrong")
            let result = try await RecordAndReplay { servers in
                let encoded = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let observer = TaskObserver()
                let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
                _ = await observer.outcome(of: session.dataTask(with: servers[0]["location/302?\(encoded)"]))
                return observer.events.first ?? ""
            }
            XCTAssertEqual(result.live, result.replayed)
            XCTAssertEqual(result.live, "redirect 302 GET \(path)")
        }
    }

    func testARedirectToAnotherServerIsFollowedWithoutCredentials() async throws {
        let result = try await RecordAndReplay(servers: 2) { servers in
            var request = URLRequest(url: servers[0]["location/302?\(servers[1]["echo"].absoluteString)"])
            request.setValue("Bearer hush", forHTTPHeaderField: "Authorization")
            request.setValue("blue", forHTTPHeaderField: "X-Token")
            return await Outcome(of: request)
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.status, 200)
        XCTAssertNil(result.live.headers["X-Sent-Authorization"])
        XCTAssertEqual(result.live.headers["X-Sent-X-Token"], "blue")
    }

    func testARedirectOnTheSameServerKeepsCredentials() async throws {
        let result = try await RecordAndReplay { servers in
            var request = URLRequest(url: servers[0]["location/302?/echo"])
            request.setValue("Bearer hush", forHTTPHeaderField: "Authorization")
            return await Outcome(of: request)
        }
        XCTAssertEqual(result.live.headers["X-Sent-Authorization"], "Bearer hush")
        XCTAssertEqual(result.replayed.status, 200)
        XCTAssertEqual(result.replayed.headers["X-Sent-Authorization"], "Bearer hush")
        let recorded = result.cassette.interactions.last?.response?.headers["X-Sent-Authorization"]
        XCTAssertEqual(recorded, "Bearer REDACTEDauthorizationN1X")
    }

    func testARedirectLoopFailsAsInURLSession() async throws {
        let result = try await RecordAndReplay { servers in await Outcome(of: servers[0]["loop"]) }
        XCTAssertEqual(result.live.failure, "\(NSURLErrorDomain) \(NSURLErrorHTTPTooManyRedirects)")
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.cassette.interactions.count, 21)
    }

    func testARefusedRedirectIsDelivered() async throws {
        let result = try await RecordAndReplay { servers in
            var answers = TaskObserver.Answers()
            answers.redirect = { _ in nil }
            return await self.observe(servers[0]["redirect/1"], answers)
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.outcome.status, 302)
        XCTAssertEqual(result.live.outcome.text, "moved")
        XCTAssertEqual(result.live.events, ["redirect 302 GET /json", "response 302", "data 5", "complete"])
        XCTAssertEqual(result.cassette.interactions.count, 1)
    }

    func testADelegateMayChangeTheRequestOfARedirect() async throws {
        let result = try await RecordAndReplay { servers in
            var answers = TaskObserver.Answers()
            let other = servers[0]["visit"]
            answers.redirect = { _ in URLRequest(url: other) }
            return await self.observe(servers[0]["redirect/1"], answers)
        }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.outcome.text, "visit 1")
        XCTAssertEqual(result.live.outcome.url?.path, "/visit")
    }

    func testEachHopIsAnEntryWithTheURLOfTheNext() async throws {
        let result = try await RecordAndReplay { servers in await Outcome(of: servers[0]["redirect/3"]) }
        let hops = result.cassette.interactions
        XCTAssertEqual(hops.map { $0.response?.status }, [302, 302, 302, 200])
        XCTAssertEqual(hops.map { $0.response?.redirectTarget }, ["/redirect/2", "/redirect/1", "/json", nil])
        XCTAssertTrue(
            String(decoding: HARFormat.write(result.cassette), as: UTF8.self).contains(
                #""redirectURL": "/json""#
            )
        )
    }

    func testARedirectWithoutATargetIsDelivered() async throws {
        let result = try await RecordAndReplay { servers in await Outcome(of: servers[0]["status/302"]) }
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.live.status, 302)
    }

    private func observe(_ url: URL, _ answers: TaskObserver.Answers) async -> TaskForm.Observation {
        let observer = TaskObserver(answers)
        let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
        let outcome = await observer.outcome(of: session.dataTask(with: url))
        return TaskForm.Observation(outcome: outcome, events: observer.events)
    }
}
