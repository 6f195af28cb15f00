// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-corelibs-xctest, and the published documentation for what that lacks.

@_exported import Foundation

open class XCTest: NSObject {
    open var name: String { shim() }
    open var testRun: XCTestRun? { shim() }
    open func setUp() async throws { shim() }
    open func setUpWithError() throws { shim() }
    open func setUp() { shim() }
    open func tearDown() { shim() }
    open func tearDownWithError() throws { shim() }
    open func tearDown() async throws { shim() }
}
open class XCTestRun: NSObject {
    open var totalFailureCount: Int { shim() }
    open var hasBeenSkipped: Bool { shim() }
}
open class XCTestCase: XCTest {
    open func invokeTest() { shim() }
    open func record(_ issue: XCTIssue) { shim() }
    open func expectation(description: String) -> XCTestExpectation { shim() }
}
open class XCTestExpectation: NSObject, @unchecked Sendable {
    public init(description expectationDescription: String) { shim() }
    open var expectedFulfillmentCount: Int {
        get { shim() }
        set { shim() }
    }
    open var assertForOverFulfill: Bool {
        get { shim() }
        set { shim() }
    }
    open func fulfill() { shim() }
}

private func shim() -> Never { fatalError("for type checks only") }

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) { shim() }
