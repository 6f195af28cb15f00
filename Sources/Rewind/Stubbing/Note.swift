import Foundation

/// A word to the person who runs the tests, on standard error.
package enum Note {
    /// Prints a note.
    package static func print(_ text: String) {
        FileHandle.standardError.write(Data("Rewind: \(text)\n".utf8))
    }
}
