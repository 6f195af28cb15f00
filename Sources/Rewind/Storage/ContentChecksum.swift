import Foundation

/// What tells whether a file is as it was, by a checksum that is quick also in a build for debugging.
package struct ContentChecksum: Hashable, Sendable {
    /// Sixteen hexadecimal digits.
    package let text: String

    /// Takes the checksum of bytes.
    package init(_ data: Data) {
        var checksum = Checksum()
        checksum.add(data)
        text = checksum.text
    }

    /// Takes the checksum of a file; `nil` where there is none that can be read.
    package init?(contentsOf url: URL) {
        // Not mapped: a file that an editor cuts off meanwhile would stop the process.
        guard let data = try? Data(contentsOf: url) else { return nil }
        self.init(data)
    }

    /// Takes a checksum that was written down.
    package init(text: String) {
        self.text = text
    }
}
