// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { shim() }
    public static let fileSizeKey = URLResourceKey(rawValue: "")
    public static let isRegularFileKey = URLResourceKey(rawValue: "")
    public static let isDirectoryKey = URLResourceKey(rawValue: "")
}

public struct URLResourceValues {
    public var fileSize: Int? { shim() }
    public var isDirectory: Bool? { shim() }
    public var isRegularFile: Bool? { shim() }
}
