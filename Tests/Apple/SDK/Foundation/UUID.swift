// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public struct UUID: Hashable, Sendable, CustomStringConvertible {
    public init() { shim() }
    public init?(uuidString string: String) { shim() }
    public var uuidString: String { shim() }
    public var description: String { shim() }
}
