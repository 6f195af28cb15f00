// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSString.rs,
// Foundation/NSData.rs, Foundation/NSURL.rs, Foundation/NSDate.rs, Foundation/NSArray.rs,
// Foundation/NSDictionary.rs, Foundation/NSValue.rs).

open class NSString: NSObject {
    open var pathExtension: String { shim() }
    open var deletingPathExtension: String { shim() }
    open var lastPathComponent: String { shim() }
    public init(string: String) { shim() }
    open var length: Int { shim() }
    public struct EncodingConversionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    open func getBytes(
        _ buffer: UnsafeMutableRawPointer?,
        maxLength maxBufferCount: Int,
        usedLength usedBufferCount: UnsafeMutablePointer<Int>?,
        encoding: UInt,
        options: EncodingConversionOptions = [],
        range: NSRange,
        remaining leftover: NSRangePointer?
    ) -> Bool { shim() }
}

public typealias NSRangePointer = UnsafeMutablePointer<NSRange>

open class NSData: NSObject {}

open class NSURL: NSObject, @unchecked Sendable {}

open class NSDate: NSObject {}

open class NSArray: NSObject {
    public convenience init(array: [Any]) { shim() }
    open var count: Int { shim() }
    open func object(at index: Int) -> Any { shim() }
    open func contains(_ anObject: Any) -> Bool { shim() }
}

open class NSDictionary: NSObject {
    open var count: Int { shim() }
    open func object(forKey aKey: Any) -> Any? { shim() }
}

open class NSNumber: NSObject, @unchecked Sendable {
    open var boolValue: Bool { shim() }
    open var intValue: Int32 { shim() }
    open var doubleValue: Double { shim() }
    open var stringValue: String { shim() }
    open var objCType: UnsafePointer<CChar> { shim() }
}
