// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSFileManager.rs,
// Foundation/NSEnumerator.rs).

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { shim() }
    public static let modificationDate = FileAttributeKey(rawValue: ""), size = FileAttributeKey(rawValue: "")
    public static let posixPermissions = FileAttributeKey(rawValue: ""), type = FileAttributeKey(rawValue: "")
}

open class FileManager: NSObject {
    public struct DirectoryEnumerationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let skipsHiddenFiles = DirectoryEnumerationOptions(rawValue: 4)
        public static let skipsSubdirectoryDescendants = DirectoryEnumerationOptions(rawValue: 1)
    }
    public enum SearchPathDirectory: UInt, Sendable {
        case documentDirectory = 9, cachesDirectory = 13, applicationSupportDirectory = 14
    }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
    }
    open class DirectoryEnumerator: NSEnumerator {}
    open class var `default`: FileManager { shim() }
    open var currentDirectoryPath: String { shim() }
    open var temporaryDirectory: URL { shim() }
    open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { shim() }
    open func contentsOfDirectory(atPath path: String) throws -> [String] { shim() }
    open func contentsOfDirectory(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = []
    ) throws -> [URL] { shim() }
    open func enumerator(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = [],
        errorHandler handler: ((URL, any Error) -> Bool)? = nil
    ) -> DirectoryEnumerator? { shim() }
    open func createDirectory(
        at url: URL,
        withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws { shim() }
    open func destinationOfSymbolicLink(atPath path: String) throws -> String { shim() }
    open func fileExists(atPath path: String) -> Bool { shim() }
    open func removeItem(at URL: URL) throws { shim() }
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { shim() }
    open func copyItem(at srcURL: URL, to dstURL: URL) throws { shim() }
    open func moveItem(at srcURL: URL, to dstURL: URL) throws { shim() }
}

@available(*, unavailable)
extension FileManager: @unchecked Sendable {}

open class NSEnumerator: NSObject, Sequence {
    open func nextObject() -> Any? { shim() }
    public func makeIterator() -> NSFastEnumerationIterator { shim() }
}

public struct NSFastEnumerationIterator: IteratorProtocol { public mutating func next() -> Any? { shim() } }
