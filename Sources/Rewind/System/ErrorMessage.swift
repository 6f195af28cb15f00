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

extension SystemCallError {
    /// The cause in the words of the system, such as `No such file or directory`, without a full stop.
    ///
    /// Foundation on Linux wraps it in an error that says only that the operation could not be completed.
    package static func cause(of error: any Error) -> String {
        let outer = error as NSError
        let underlying = outer.userInfo[NSUnderlyingErrorKey] as? any Error
        let errors = [outer, underlying.map { $0 as NSError }].compactMap(\.self)
        guard let code = errors.first(where: { $0.domain == NSPOSIXErrorDomain })?.code
        else { return error.localizedDescription.withoutFullStop }
        return String(cString: strerror(Int32(truncatingIfNeeded: code)))
    }
}
