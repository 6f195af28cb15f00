// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: the published documentation of XCTest.

open class XCTSourceCodeLocation: NSObject {
    public init(fileURL: URL, lineNumber: Int) { shim() }
    public convenience init(filePath: String, lineNumber: Int) { shim() }
    open var fileURL: URL { shim() }
    open var lineNumber: Int { shim() }
}

open class XCTSourceCodeFrame: NSObject {
    public init(address: UInt64) { shim() }
    open var address: UInt64 { shim() }
}

open class XCTSourceCodeContext: NSObject {
    public init(callStack: [XCTSourceCodeFrame], location: XCTSourceCodeLocation?) { shim() }
    public convenience init(location: XCTSourceCodeLocation?) { shim() }
    public override convenience init() { shim() }
    open var callStack: [XCTSourceCodeFrame] { shim() }
    open var location: XCTSourceCodeLocation? { shim() }
}

open class XCTAttachment: NSObject {}

public struct XCTIssue {
    public enum IssueType: Int, Sendable {
        case assertionFailure = 0
        case thrownError = 1
        case uncaughtException = 2
        case performanceRegression = 3
        case system = 4
        case unmatchedExpectedFailure = 5
    }
    public init(
        type: IssueType,
        compactDescription: String,
        detailedDescription: String? = nil,
        sourceCodeContext: XCTSourceCodeContext = XCTSourceCodeContext(),
        associatedError: (any Error)? = nil,
        attachments: [XCTAttachment] = []
    ) { shim() }
    public var type: IssueType
    public var compactDescription: String
    public var detailedDescription: String?
    public var sourceCodeContext: XCTSourceCodeContext
    public var associatedError: (any Error)?
    public var attachments: [XCTAttachment]
}

private func shim() -> Never { fatalError("for type checks only") }
