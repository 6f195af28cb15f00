// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSStream.rs).

open class Stream: NSObject {
    open func open() { shim() }
    open func close() { shim() }
    open var streamError: (any Error)? { shim() }
    open var streamStatus: Stream.Status { shim() }

    public enum Status: UInt, @unchecked Sendable {
        case notOpen = 0, opening, open, reading, writing, atEnd, closed, error
    }
}

open class InputStream: Stream {
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { shim() }
    open var hasBytesAvailable: Bool { shim() }
    public init(data: Data) { shim() }
    public init?(url: URL) { shim() }
}
