import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The protocol classes of the live session answer before the network while recording.
final class LiveProtocolClassesTests: XCTestCase {
    func testAMockedLiveSessionIsRecordedWithoutAServer() async throws {
        let url = try XCTUnwrap(URL(string: "http://mocked.invalid/users?page=1"))
        let folder = try TemporaryDirectory()
        for isBound in [false, true] {
            let name = "talk-\(isBound)"
            func talk(_ mode: RecordingMode, _ classes: [AnyClass]) async throws -> [Outcome] {
                let configuration = Self.configuration(classes)
                let scope = try Stubber(
                    cassette: name,
                    in: folder.url,
                    mode: mode,
                    configuration: configuration
                )
                guard isBound else {
                    return try await CassetteScope.serve(scope) {
                        [await Outcome(of: url), await Outcome(of: Self.post(url))]
                    }
                }
                let session = scope.session
                let outcomes = [
                    await Outcome(of: url, in: session), await Outcome(of: Self.post(url), in: session),
                ]
                try scope.eject()
                return outcomes
            }
            let live = try await talk(.once, [DecliningProtocol.self, MockProtocol.self])
            XCTAssertEqual(live.map(\.text), ["mocked GET /users", "mocked POST /users"])
            XCTAssertEqual(live.map(\.status), [203, 203])
            let cassette = try Cassette(contentsOf: folder["\(name).har"])
            XCTAssertEqual(cassette.interactions.map { $0.response?.status }, [203, 203])
            let replayed = try await talk(.never, [])
            XCTAssertEqual(replayed, live)
        }
    }

    func testARequestThatTheMockDeclinesUsesTheNetwork() async throws {
        for classes in [nil, [], [DecliningProtocol.self], URLSessionConfiguration.default.protocolClasses] {
            let result = try await RecordAndReplay(configuration: Self.configuration(classes)) { servers in
                [await Outcome(of: servers[0]["visit"]), await Outcome(of: servers[0]["redirect/1"])]
            }
            XCTAssertEqual(result.live.map(\.status), [200, 200])
            XCTAssertEqual(result.live, result.replayed)
            XCTAssertEqual(result.cassette.interactions.count, 3)
        }
    }

    func testTheProtocolClassOfAStubberInTheLiveSessionIsIgnored() async throws {
        let other = Stubber(stubsOnly: Stubber.Configuration())
        other.stub(.any, respond: .text("of the wrong stubber"))
        let live = other.install(in: .ephemeral)
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        let result = try await RecordAndReplay(configuration: configuration) {
            await Outcome(of: $0[0]["visit"])
        }
        XCTAssertEqual([result.live.text, result.replayed.text], ["visit 1", "visit 1"])
        try other.eject()
    }

    private static func configuration(_ classes: [AnyClass]?) -> Stubber.Configuration {
        let live = URLSessionConfiguration.ephemeral
        live.protocolClasses = classes
        var configuration = Stubber.Configuration()
        configuration.liveSession = live
        return configuration
    }

    private static func post(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("a=1".utf8)
        return request
    }
}

/// A mock that answers one host.
final class MockProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mocked.invalid" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: 203,
                httpVersion: "HTTP/1.1",
                headerFields: ["X-Mock": "1"]
            )
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("mocked \(request.httpMethod ?? "") \(url.path)".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// A protocol class that declines every request.
final class DecliningProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
}
