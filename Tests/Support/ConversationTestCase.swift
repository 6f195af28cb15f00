import XCTest

/// A test case with a server to record from, and a folder for cassettes.
open class ConversationTestCase: XCTestCase {
    package private(set) var server: ConversationServer!
    package private(set) var folder: TemporaryDirectory!

    override open func setUpWithError() throws {
        try super.setUpWithError()
        server = try ConversationServer()
        folder = try TemporaryDirectory()
    }

    override open func tearDown() {
        server.stop()
        super.tearDown()
    }
}
