// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

extension Array: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}

extension UnsafeRawBufferPointer: ContiguousBytes {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(self)
    }
}

extension UnsafeBufferPointer: ContiguousBytes where Element == UInt8 {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { shim() }
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}

public struct Data: Hashable, Sendable, Codable, RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection, DataProtocol, ContiguousBytes, CustomStringConvertible
{
    public typealias Index = Int
    public typealias Indices = Range<Int>
    public typealias SubSequence = Data
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let mappedIfSafe = ReadingOptions(rawValue: 1)
        public static let alwaysMapped = ReadingOptions(rawValue: 8)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = WritingOptions(rawValue: 1)
    }
    public struct SearchOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let backwards = SearchOptions(rawValue: 1)
    }
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let ignoreUnknownCharacters = Base64DecodingOptions(rawValue: 1)
    }
    public enum Deallocator {
        case virtualMemory, unmap, free, none
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }
    public init() { shim() }
    public init(count: Int) { shim() }
    public init(capacity: Int) { shim() }
    public init(bytes: UnsafeRawPointer, count: Int) { shim() }
    public init<SourceType>(buffer: UnsafeBufferPointer<SourceType>) { shim() }
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) { shim() }
    public init(contentsOf url: URL, options: ReadingOptions = []) throws { shim() }
    public init?(base64Encoded base64String: String, options: Base64DecodingOptions = []) { shim() }
    public init?(base64Encoded base64Data: Data, options: Base64DecodingOptions = []) { shim() }
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { shim() }
    public init(referencing reference: NSData) { shim() }
    public init(from decoder: any Decoder) throws { shim() }
    public func encode(to encoder: any Encoder) throws { shim() }
    public var count: Int {
        get { shim() }
        set { shim() }
    }
    public var startIndex: Int { shim() }
    public var endIndex: Int { shim() }
    public subscript(index: Int) -> UInt8 {
        get { shim() }
        set { shim() }
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { shim() }
        set { shim() }
    }
    public func index(before i: Int) -> Int { shim() }
    public func index(after i: Int) -> Int { shim() }
    public var indices: Range<Int> { shim() }
    public func makeIterator() -> Iterator { shim() }
    public struct Iterator: IteratorProtocol, Sendable { public mutating func next() -> UInt8? { shim() } }
    public mutating func reserveCapacity(_ minimumCapacity: Int) { shim() }
    public mutating func append(_ other: Data) { shim() }
    public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) { shim() }
    public mutating func append(contentsOf bytes: [UInt8]) { shim() }
    public mutating func append<S: Sequence>(contentsOf elements: S) where S.Element == UInt8 { shim() }
    public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
    where C.Element == UInt8 { shim() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { shim() }
    public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows
        -> R
    {
        shim()
    }
    public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows
        -> R?
    {
        shim()
    }
    public func base64EncodedString(options: Base64EncodingOptions = []) -> String { shim() }
    public func base64EncodedData(options: Base64EncodingOptions = []) -> Data { shim() }
    public func range(of dataToFind: Data, options: SearchOptions = [], in range: Range<Int>? = nil) -> Range<
        Int
    >? {
        shim()
    }
    public func write(to url: URL, options: WritingOptions = []) throws { shim() }
    public func subdata(in range: Range<Int>) -> Data { shim() }
    public var description: String { shim() }
    public func hash(into hasher: inout Hasher) { shim() }
    public static func == (a: Data, b: Data) -> Bool { shim() }
}

extension Data.Iterator: Equatable {}
