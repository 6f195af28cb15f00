import RewindTestSupport
import XCTest

/// A test case with a server to record from, and a folder for cassettes.
class ConversationTestCase: XCTestCase {
    private(set) var server: ConversationServer!
    private(set) var folder: TemporaryDirectory!

    override func setUpWithError() throws {
        try super.setUpWithError()
        server = try ConversationServer()
        folder = try TemporaryDirectory()
    }

    override func tearDown() {
        server.stop()
        super.tearDown()
    }
}
