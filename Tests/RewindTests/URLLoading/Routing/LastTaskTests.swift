import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task that a test resumes at its end without waiting is recorded, with every kind of cache.
final class LastTaskTests: ConversationTestCase {
    private func check(_ configuration: URLSessionConfiguration, isolated: Bool = true) async throws {
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        for round in 0..<20 {
            var settings = Stubber.Configuration()
            settings.isolatesSharedStorage = isolated
            let name = "round-\(round)"
            let resume: @Sendable (Stubber) -> Void = { [server] _ in
                if let server { session.dataTask(with: server["slow/20"]).resume() }
            }
            if round % 2 == 0 {
                try withCassette(name, in: folder.url, mode: .all, configuration: settings, resume)
            } else {
                let later: @Sendable (Stubber) async -> Void = { resume($0) }
                try await withCassette(name, in: folder.url, mode: .all, configuration: settings, later)
            }
            let cassette = try Cassette(contentsOf: folder["round-\(round).har"])
            XCTAssertEqual(cassette.interactions.map(\.response?.status), [200], "round \(round)")
        }
    }

    func testTheLastTaskIsRecordedWithTheSharedCache() async throws {
        try await check(.default)
    }

    func testTheLastTaskIsRecordedWithTheSharedCacheOfTheMachine() async throws {
        try await check(.default, isolated: false)
    }

    func testTheLastTaskIsRecordedWithItsOwnCache() async throws {
        try await check(.ephemeral)
    }

    func testTheLastTaskIsRecordedWithoutACache() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        try await check(configuration)
    }
}
