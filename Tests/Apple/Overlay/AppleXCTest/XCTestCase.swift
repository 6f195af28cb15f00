// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// XCTestCase of Linux with the additional members of Apple's.

@_exported import AppleFoundation
@_exported import CorelibsXCTest

open class XCTestCase: CorelibsTestCase {
    open func record(_ issue: XCTIssue) { shim() }
    @available(*, deprecated)
    open override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) { shim() }
}

private func shim() -> Never { fatalError("for type checks only") }
