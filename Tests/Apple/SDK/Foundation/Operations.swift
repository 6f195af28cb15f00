// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSOperation.rs,
// Foundation/NSProgress.rs).

open class Operation: NSObject, @unchecked Sendable {}

open class OperationQueue: NSObject, @unchecked Sendable {
    open class var main: OperationQueue { shim() }
    open var maxConcurrentOperationCount: Int {
        get { shim() }
        set { shim() }
    }
    open var underlyingQueue: DispatchQueue? {
        get { shim() }
        set { shim() }
    }
    open func addOperation(_ block: @escaping @Sendable () -> Void) { shim() }
    open func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) { shim() }
}

open class Progress: NSObject, @unchecked Sendable {
    open var totalUnitCount: Int64 {
        get { shim() }
        set { shim() }
    }
    open var completedUnitCount: Int64 {
        get { shim() }
        set { shim() }
    }
}

public protocol ProgressReporting: NSObjectProtocol { var progress: Progress { get } }
