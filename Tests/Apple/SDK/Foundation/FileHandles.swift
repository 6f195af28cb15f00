// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSFileHandle.rs).

open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardInput: FileHandle { shim() }
    open class var standardOutput: FileHandle { shim() }
    open class var standardError: FileHandle { shim() }
    public init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool) { shim() }
    public convenience init(fileDescriptor fd: Int32) { shim() }
    public convenience init(forReadingFrom url: URL) throws { shim() }
    public func read(upToCount count: Int) throws -> Data? { shim() }
    public func close() throws { shim() }
    open func write(_ data: Data) { shim() }
    public func write<T: DataProtocol>(contentsOf data: T) throws { shim() }
    public func readToEnd() throws -> Data? { shim() }
    @discardableResult public func seekToEnd() throws -> UInt64 { shim() }
    open var fileDescriptor: Int32 { shim() }
}

open class Pipe: NSObject, @unchecked Sendable {
    open var fileHandleForReading: FileHandle { shim() }
    open var fileHandleForWriting: FileHandle { shim() }
}
