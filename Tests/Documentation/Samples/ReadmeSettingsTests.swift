import Foundation
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The settings in the test classes that the documents show have the effect that the documents say.

extension SearchTests {
    func testSettings() {
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "url", "body"])
        XCTAssertEqual(
            stubber.configuration.matching[1].ignored.map(\.description),
            [#".queryItems("ts", "utm_*")"#, #".segments("/users/*/posts")"#]
        )
    }
}

extension AccountTests {
    func testSettings() async throws {
        var configuration = cassetteConfiguration
        configuration.requestMatchingFailed = { _ in }
        var request = URLRequest(url: try XCTUnwrap(URL(string: "http://127.0.0.1:8017/account")))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"pin":"1","user":{"ssn":"2"}}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let sent = request
        do {
            _ = try await withStubs(configuration: configuration) { _ in
                try await URLSession.shared.data(for: sent)
            }
            XCTFail("A stub answered.")
        } catch {
            XCTAssertTrue(
                "\(error.localizedDescription)".contains("<pin:1>, <ssn:1>"),
                "\(error)"
            )
        }
    }
}

extension CheckoutTests {
    func testSettings() {
        XCTAssertEqual(stubber.cassetteURL?.lastPathComponent, "testSettings.har")
        XCTAssertEqual(stubber.cassetteURL?.deletingLastPathComponent().lastPathComponent, "Cassettes")
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "path"])
        XCTAssertEqual(recordingMode, .newEpisodes)
    }
}
