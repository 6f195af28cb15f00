/// A misuse of a server.
package enum HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server listens already.
    case alreadyStarted

    /// The sentence that tells the caller what to change.
    package var description: String {
        switch self {
        case .alreadyStarted: "The server was started already; stop it before it starts again."
        }
    }
}
