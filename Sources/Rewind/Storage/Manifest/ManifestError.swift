import Foundation

/// A manifest by which nothing can be told.
package struct ManifestError: Error, Hashable, Sendable {
    /// The path of the manifest.
    package var path: String
    /// What is wrong with it.
    package var problem: Problem

    /// Creates the error of a manifest.
    package init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    /// What is wrong with a manifest.
    package enum Problem: Hashable, Sendable {
        /// It cannot be read from the disk.
        case unreadable(String)
        /// It has no line.
        case empty
        /// A line is none that this version writes.
        case brokenLine(Int)
        /// A process of the run crashed or still runs.
        case unended(Date?)
        /// It names no cassette of a folder.
        case elsewhere(String)
    }
}

extension ManifestError: LocalizedError, CustomStringConvertible {
    /// What is wrong and what mends it.
    package var description: String {
        switch problem {
        case .unreadable(let cause):
            "The manifest \(path) cannot be read: \(cause)\n  \(renewing)"
        case .empty:
            "The manifest \(path) is empty: no test of the run used a cassette.\n  \(renewing)"
        case .brokenLine(let number):
            "The manifest \(path):\(number) is broken: the line is none that this version of Rewind writes.\n"
                + "  Remove the file. \(renewing)"
        case .unended(let start):
            "The manifest \(path) is not whole: a process"
                + (start.map { " that began at \(HARDate.text($0))" } ?? "")
                + " did not end, so it crashed or still runs.\n"
                + "  Wait for the run to end; if it crashed, remove the file. \(renewing)"
        case .elsewhere(let folder):
            "The manifest \(path) names no cassette in \(folder), so it tells nothing about that folder.\n"
                + "  Name the folder that the tests used, or the manifest of their run."
        }
    }

    private var renewing: String {
        "Run all tests with \(Environment.Variable.manifest.rawValue) set to its path."
    }

    /// What is wrong and what mends it.
    package var errorDescription: String? { description }
}
