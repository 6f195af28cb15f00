import Foundation
import RewindXCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The members that a test class is likely to have do not clash with those of `CassetteTestCase`.
final class MemberCollisionTests: CassetteTestCase {
    private var session = URLSession.shared
    private var configuration = URLSessionConfiguration.ephemeral
    private var client = "client"
    private var server = "server"
    private var request: URLRequest?
    private var baseURL = URL(string: "https://api.example.com")
    private var cassette = "cassette"

    override var cassetteConfiguration: Stubber.Configuration {
        var configuration = super.cassetteConfiguration
        configuration.timing = .immediate
        return configuration
    }

    func testStubsAnswerAClassWithItsOwnMembers() async throws {
        stubber.stub(.host("api.example.com"), respond: .text("hello"))
        let url = try XCTUnwrap(baseURL)
        request = URLRequest(url: url)
        let (data, _) = try await session.data(for: XCTUnwrap(request))
        XCTAssertEqual(String(decoding: data, as: UTF8.self), "hello")
        XCTAssertEqual([client, server, cassette], ["client", "server", "cassette"])
        XCTAssertNotNil(configuration)
    }
}
