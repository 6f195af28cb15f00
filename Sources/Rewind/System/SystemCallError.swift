import Foundation

/// A call to the operating system that failed.
package struct SystemCallError: Error, LocalizedError {
    private let action: String
    private let path: String
    private let cause: String

    /// Takes the number of the error that the last call left.
    package init(_ action: String, _ path: String) {
        self.init(action, path, cause: String(cString: strerror(errno)))
    }

    /// Says the cause in words of its own.
    package init(_ action: String, _ path: String, cause: String) {
        self.action = action
        self.path = path
        self.cause = cause
    }

    /// What was tried and why it failed.
    package var errorDescription: String? {
        "could not \(action) \(path): \(cause)"
    }
}
