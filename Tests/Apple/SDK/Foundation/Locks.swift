// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSLock.rs).
// The unavailability in asynchronous code is that of the published documentation.

public protocol NSLocking { func lock(); func unlock() }

open class NSLock: NSObject, NSLocking, @unchecked Sendable {
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func lock() { shim() }
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func unlock() { shim() }
    open func `try`() -> Bool { shim() }
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { shim() }
}

open class NSRecursiveLock: NSObject, NSLocking, @unchecked Sendable {
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func lock() { shim() }
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func unlock() { shim() }
}

open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
    @available(*, noasync)
    open func lock() { shim() }
    @available(*, noasync)
    open func unlock() { shim() }
    @available(*, noasync)
    open func wait() { shim() }
    @available(*, noasync)
    open func wait(until limit: Date) -> Bool { shim() }
    open func signal() { shim() }
    open func broadcast() { shim() }
}
