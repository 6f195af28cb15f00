import ExampleBlog
import Foundation
import RewindXCTest
import XCTest

/// The client tested with XCTest: each test has a file in `Cassettes/PublishingTests`.
final class PublishingTests: CassetteTestCase {
    /// A secret is not on the cassette, so a replay takes whatever it is today.
    private let password = ProcessInfo.processInfo.environment["BLOG_PASSWORD"] ?? "lovelace"

    func testAPostIsPublished() async throws {
        let blog = try await Blog().signedIn(name: "ada", password: password)
        let post = try await blog.publish("Notes on the engine")
        XCTAssertEqual(post.title, "Notes on the engine")
    }

    func testNobodyPublishesWithoutSigningIn() async throws {
        do {
            _ = try await Blog().publish("Notes")
            XCTFail("It was published.")
        } catch {
            XCTAssertEqual(error as? BlogError, .rejected(status: 401))
        }
    }

    func testAPhotoIsTheSameByteForByte() async throws {
        let photo = try await Blog().photo("engine")
        XCTAssertEqual(photo.prefix(4), Data([0x89, 0x50, 0x4E, 0x47]))
        XCTAssertEqual(photo.count, 2568)
    }

    /// What the server does too rarely to be recorded is a stub beside the recording.
    func testAFailingServerIsTold() async throws {
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
