// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-corelibs-foundation.

public typealias NSRange = _NSRange

public struct _NSRange: Hashable, Sendable {
    public var location: Int
    public var length: Int
    public init(location: Int, length: Int) { shim() }
    public init<R: RangeExpression, S: StringProtocol>(_ region: R, in target: S) where R.Bound == S.Index {
        shim()
    }
}

extension Range where Bound == String.Index {
    public init?(_ range: NSRange, in string: String) { shim() }
    public init?<S: StringProtocol>(_ range: NSRange, in string: S) { shim() }
}
