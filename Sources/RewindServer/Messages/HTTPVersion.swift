/// A version of the protocol the server speaks.
package enum HTTPVersion: String, Hashable, Sendable {
    /// HTTP/1.0, which has neither chunks nor interim answers and closes after each answer.
    case http10 = "HTTP/1.0"
    /// HTTP/1.1 (RFC 9112).
    case http11 = "HTTP/1.1"
}
