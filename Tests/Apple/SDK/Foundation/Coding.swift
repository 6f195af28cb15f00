// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

open class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    public init() { shim() }
    open var outputFormatting: OutputFormatting {
        get { shim() }
        set { shim() }
    }
    open func encode<T: Encodable>(_ value: T) throws -> Data { shim() }
}

open class JSONDecoder {
    public init() { shim() }
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { shim() }
}

extension JSONEncoder: @unchecked Sendable {}
extension JSONDecoder: @unchecked Sendable {}

open class PropertyListSerialization: NSObject {
    public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
    public struct ReadOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    open class func propertyList(
        from data: Data,
        options opt: ReadOptions = [],
        format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any { shim() }
}
