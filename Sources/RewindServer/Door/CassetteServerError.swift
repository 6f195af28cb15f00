import Foundation

/// What is wrong with the way a cassette server is used.
public enum CassetteServerError: Error, Hashable, Sendable {
    /// The address is not that of an HTTP server: a scheme `http` or `https`, a host, and at most a path.
    case invalidUpstream(String)
    /// No upstream was given.
    case noUpstream
    /// The server is not listening.
    case notStarted
    /// The server was stopped, and its cassette is written.
    case alreadyStopped
}

extension CassetteServerError: CustomStringConvertible, LocalizedError {
    /// The sentence that tells the caller what to change.
    public var description: String {
        switch self {
        case .invalidUpstream(let text):
            "\(text.debugDescription) is no address of a server; write it as https://api.example.com/v2."
        case .noUpstream: "A cassette server needs an upstream; `.proxy` stands for every server."
        case .notStarted: "The server has no address before `start()`."
        case .alreadyStopped: "The server was stopped, and its cassette is written; make another one."
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}
