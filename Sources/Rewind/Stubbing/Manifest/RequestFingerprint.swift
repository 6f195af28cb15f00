import Foundation

/// What tells one request of a cassette from another without telling what it says.
///
/// It stays the same when interactions before it come and go, and nobody can read a secret from it.
package struct RequestFingerprint: Hashable, Sendable {
    /// Sixteen hexadecimal digits.
    package let text: String

    /// Takes the fingerprint of a request as it stands on the cassette: of its method, its URL and its body.
    package init(_ request: Request) {
        let body = request.body.map { ContentChecksum($0.data).text } ?? "none"
        let message = "\(request.method)\n\(request.urlWithoutFragment)\n\(body)"
        text = String(SHA256Digest(message.utf8).hexadecimal.prefix(16))
    }

    /// Takes a fingerprint that was written down.
    package init(text: String) {
        self.text = text
    }
}

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
        guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { return nil }
        self.init(data)
    }

    /// Takes a checksum that was written down.
    package init(text: String) {
        self.text = text
    }
}
