// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSThread.rs).
// Unavailability in async code: Apple's documentation.

open class Thread: NSObject {
    @available(*, noasync)
    open class var current: Thread { shim() }
    open class var main: Thread { shim() }
    open class func isMultiThreaded() -> Bool { shim() }
    open var isMainThread: Bool { shim() }
    open var isExecuting: Bool { shim() }
    open var isFinished: Bool { shim() }
    open var isCancelled: Bool { shim() }
    open func cancel() { shim() }
    open class var callStackSymbols: [String] { shim() }
    open class var isMainThread: Bool { shim() }
    open class func detachNewThread(_ block: @escaping @Sendable () -> Void) { shim() }
    open class func sleep(forTimeInterval ti: TimeInterval) { shim() }
    public convenience init(block: @escaping @Sendable () -> Void) { shim() }
    open var name: String? {
        get { shim() }
        set { shim() }
    }
    open var stackSize: Int {
        get { shim() }
        set { shim() }
    }
    open func start() { shim() }
}

@available(*, unavailable)
extension Thread: @unchecked Sendable {}
