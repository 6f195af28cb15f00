import Foundation

/// The way back to a client.
protocol ResponseChannel: Sendable {
    /// Sends all bytes before any that are sent later.
    func send(_ bytes: Data) throws
    /// Ends the connection in order, after the bytes sent so far.
    func finishSending()
    /// Ends the connection at once, so that the client sees an error instead of an end.
    func reset()
    /// Whether nobody can receive any more what is sent.
    var isGone: Bool { get }
}
