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
