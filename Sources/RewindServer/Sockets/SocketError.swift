import Foundation

/// A failed call on a socket, told with what it tried.
package enum SocketError: Error, Hashable, Sendable {
    /// The system refused the call with an error number.
    case failed(attempt: String, code: Int32)
    /// The peer was silent, or left data unread, for longer than the time-out.
    case timedOut(attempt: String)
    /// The text is no IPv4 address.
    case invalidAddress(String)
    /// The socket was closed before.
    case closed
}

extension SocketError {
    /// Whether it tells no more than that the other side has gone, or is silent.
    var isOfPeer: Bool {
        switch self {
        case .closed, .timedOut: true
        case .failed(_, let code): [EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ETIMEDOUT].contains(code)
        case .invalidAddress: false
        }
    }
}

extension SocketError: CustomStringConvertible {
    /// What was tried and what the system said.
    package var description: String {
        switch self {
        case .failed(let attempt, let code):
            "Could not \(attempt): \(String(cString: strerror(code))) (error \(code))."
        case .timedOut(let attempt): "Could not \(attempt) in time."
        case .invalidAddress(let host): "\(host.debugDescription) is not an IPv4 address."
        case .closed: "The socket is closed."
        }
    }
}
