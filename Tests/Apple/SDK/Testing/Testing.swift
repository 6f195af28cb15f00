// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// The declarations of Swift Testing that RewindTesting uses. Source: swiftlang/swift-testing.

public struct SourceLocation: Sendable {
    public init(fileID: String, filePath: String, line: Int, column: Int) { fatalError() }
    public var fileID: String { fatalError() }
    public var fileName: String { fatalError() }
    public var filePath: String { fatalError() }
    public var _filePath: String { fatalError() }
    public var line: Int { fatalError() }
}
public struct Comment: RawRepresentable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { fatalError() }
}
public struct Test: Sendable {
    public struct ID: Hashable, Sendable {
        public var moduleName: String { fatalError() }
        public var nameComponents: [String] { fatalError() }
    }
    public struct Case: Sendable {
        public static var current: Case? { fatalError() }
        public var isParameterized: Bool { fatalError() }
    }
    public static var current: Test? { fatalError() }
    public var id: ID { fatalError() }
    public var name: String { fatalError() }
    public var traits: [any Trait] { fatalError() }
    public var sourceLocation: SourceLocation { fatalError() }
}
public protocol TestScoping: Sendable {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws
}
public protocol Trait: Sendable {
    associatedtype TestScopeProvider: TestScoping = Never
    func scopeProvider(for test: Test, testCase: Test.Case?) -> TestScopeProvider?
}
extension Never: TestScoping {
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {}
}
extension Trait where TestScopeProvider == Never {
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Never? { nil }
}
extension Trait where Self: TestScoping {
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { nil }
}
public protocol TestTrait: Trait {}
public protocol SuiteTrait: Trait { var isRecursive: Bool { get } }
extension SuiteTrait { public var isRecursive: Bool { false } }
public struct Issue: Sendable {
    public enum Severity: Sendable { case warning, error }
    public var isFailure: Bool { fatalError() }
    public var sourceLocation: SourceLocation? { fatalError() }
    @discardableResult
    public static func record(_ comment: Comment? = nil, sourceLocation: SourceLocation) -> Self {
        fatalError()
    }
    @discardableResult
    public static func record(
        _ comment: Comment? = nil,
        severity: Severity = .error,
        sourceLocation: SourceLocation
    ) -> Self { fatalError() }
}
public struct IssueHandlingTrait: TestTrait, SuiteTrait, TestScoping {
    public static func compactMapIssues(_ transform: @escaping @Sendable (Issue) -> Issue?) -> Self {
        fatalError()
    }
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {}
}
public protocol Attachable {}
extension String: Attachable {}
public struct Attachment<Value: Attachable> {
    public static func record(_ value: Value, named name: String? = nil, sourceLocation: SourceLocation) {}
}

@freestanding(expression)
public macro _sourceLocation() -> SourceLocation =
    #externalMacro(module: "TestingMacros", type: "SourceLocationMacro")
