import Foundation

/// A word to the person who runs the tests, on standard error.
package enum Note {
    /// Where notes go: to standard error, unless a test wants to see them.
    @TaskLocal package static var reader: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Prints a note.
    package static func print(_ text: String) {
        reader("Rewind: \(text)\n")
    }
}
