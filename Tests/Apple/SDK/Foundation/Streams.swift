// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, which is made from Apple's headers (Foundation/NSStream.rs).

open class Stream: NSObject {
    open func open() { shim() }
    open func close() { shim() }
    open var streamError: (any Error)? { shim() }
}

open class InputStream: Stream {
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { shim() }
    open var hasBytesAvailable: Bool { shim() }
    public init(data: Data) { shim() }
    public init?(url: URL) { shim() }
}
