import ExampleBlog
import Foundation
import RewindXCTest

/// Tests the client with XCTest. Each test has a cassette in `Cassettes/PublishingTests`.
final class PublishingTests: CassetteTestCase {
    /// Secrets are redacted, so a replay accepts any value.
    private let password = ProcessInfo.processInfo.environment["BLOG_PASSWORD"] ?? "lovelace"

    func testPublishing() async throws {
        let blog = try await Blog().signedIn(name: "ada", password: password)
        let post = try await blog.publish("Notes on the engine")
        XCTAssertEqual(post.title, "Notes on the engine")
    }

    func testPublishingRequiresSigningIn() async throws {
        do {
            _ = try await Blog().publish("Notes")
            XCTFail("It was published.")
        } catch {
            XCTAssertEqual(error as? BlogError, .rejected(status: 401))
        }
    }

    func testPhoto() async throws {
        let photo = try await Blog().photo("engine")
        XCTAssertEqual(photo.prefix(4), Data([0x89, 0x50, 0x4E, 0x47]))
        XCTAssertEqual(photo.count, 2568)
    }

    /// A stub changes a recorded response to test a failure of the server.
    func testServerError() async throws {
        stubber.stub(.post("/posts"), respond: .recorded { $0.status = 503 })
        let blog = try await Blog().signedIn(name: "ada", password: password)
        do {
            _ = try await blog.publish("Notes on the engine")
            XCTFail("It was published.")
        } catch {
            XCTAssertEqual(error as? BlogError, .rejected(status: 503))
        }
    }
}
