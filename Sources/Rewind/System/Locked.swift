import Foundation

/// A value that several threads share, reachable only while its lock is held.
///
/// `Mutex` would say the same, but needs newer Apple systems than this package supports.
package final class Locked<Value>: @unchecked Sendable {
    // Sound as @unchecked Sendable: `value` is read and written only inside `withLock`, between lock and unlock.
    @usableFromInline var value: Value
    @usableFromInline let lock = NSLock()

    /// Creates the box around its first value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Gives the body exclusive access to the value; the body must not call back into the same box.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
