// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-corelibs-foundation.

public struct CharacterSet: Hashable, Sendable {
    public init(charactersIn string: String) { shim() }
    public static var whitespacesAndNewlines: CharacterSet { shim() }
    public static var whitespaces: CharacterSet { shim() }
    public static var newlines: CharacterSet { shim() }
    public static var urlQueryAllowed: CharacterSet { shim() }
    public static var urlPathAllowed: CharacterSet { shim() }
    public static var alphanumerics: CharacterSet { shim() }
    public func union(_ other: CharacterSet) -> CharacterSet { shim() }
    public func contains(_ member: Unicode.Scalar) -> Bool { shim() }
}
