import Foundation

extension LocalizedError {
    /// What happened and, on an indented line below it, how to fix it.
    package var message: String {
        [errorDescription, recoverySuggestion.map { "  \($0)" }].compactMap(\.self).joined(separator: "\n")
    }
}

extension String {
    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// A system call that failed on a file.
package struct SystemCallError: Error, LocalizedError {
    private let action: String
    private let path: String
    private let cause: String

    /// Takes the current `errno`.
    package init(_ action: String, _ path: String) {
        self.init(action, path, cause: String(cString: strerror(errno)))
    }

    package init(_ action: String, _ path: String, cause: String) {
        self.action = action
        self.path = path
        self.cause = cause
    }

    package var errorDescription: String? { "could not \(action) \(path): \(cause)" }
}
