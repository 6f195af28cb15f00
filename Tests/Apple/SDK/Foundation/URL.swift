// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
    public init?(string: String) { shim() }
    public init?(string: String, relativeTo url: URL?) { shim() }
    public init(fileURLWithPath path: String) { shim() }
    public init(fileURLWithPath path: String, isDirectory: Bool) { shim() }
    public init(fileURLWithPath path: String, relativeTo base: URL?) { shim() }
    public init(fileURLWithPath path: String, isDirectory: Bool, relativeTo base: URL?) { shim() }
    public init(from decoder: any Decoder) throws { shim() }
    public func encode(to encoder: any Encoder) throws { shim() }
    public var absoluteString: String { shim() }
    public var absoluteURL: URL { shim() }
    public var relativeString: String { shim() }
    public var baseURL: URL? { shim() }
    public var scheme: String? { shim() }
    public var host: String? { shim() }
    public var port: Int? { shim() }
    public var user: String? { shim() }
    public var password: String? { shim() }
    public var path: String { shim() }
    public var query: String? { shim() }
    public var fragment: String? { shim() }
    public var isFileURL: Bool { shim() }
    public var pathComponents: [String] { shim() }
    public var lastPathComponent: String { shim() }
    public var relativePath: String { shim() }
    public var pathExtension: String { shim() }
    public var hasDirectoryPath: Bool { shim() }
    public var standardized: URL { shim() }
    public var standardizedFileURL: URL { shim() }
    public func resolvingSymlinksInPath() -> URL { shim() }
    public func appendingPathComponent(_ pathComponent: String) -> URL { shim() }
    public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL { shim() }
    public func appendingPathExtension(_ pathExtension: String) -> URL { shim() }
    public func deletingLastPathComponent() -> URL { shim() }
    public mutating func deleteLastPathComponent() { shim() }
    public func deletingPathExtension() -> URL { shim() }
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { shim() }
    public func withUnsafeFileSystemRepresentation<R>(_ block: (UnsafePointer<Int8>?) throws -> R) rethrows -> R
    { shim() }
    public var description: String { shim() }
}
