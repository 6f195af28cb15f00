import Dispatch
import Foundation

/// A value that threads share and access only under a lock. `Mutex` needs newer Apple systems than this package
/// supports.
package final class Locked<Value>: @unchecked Sendable {
    // Sound as @unchecked Sendable: `value` is read and written only inside `withLock`, between lock and unlock.
    @usableFromInline var value: Value
    @usableFromInline let lock = NSLock()

    package init(_ value: Value) { self.value = value }

    /// Gives the body exclusive access to the value. Calling it again in the body would deadlock.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Array where Element: Sendable {
    /// Transforms parts of the array on all processors at once, and returns the results in order.
    package func mapParts<Result: Sendable>(
        of size: Int = 256,
        _ transform: @Sendable (ArraySlice<Element>) -> Result
    ) -> [Result] {
        let starts = Swift.Array(stride(from: 0, to: count, by: size))
        guard starts.count > 1 else { return isEmpty ? [] : [transform(self[...])] }
        let results = Locked([Result?](repeating: nil, count: starts.count))
        DispatchQueue.concurrentPerform(iterations: starts.count) { number in
            let result = transform(self[starts[number]..<Swift.min(count, starts[number] + size)])
            results.withLock { $0[number] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
