import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task and the session that made it, through which shared delivery does what the platform leaves to a protocol.
struct SessionTask: Sendable {
    let task: URLSessionTask
    let session: URLSession

    var configuration: URLSessionConfiguration { session.configuration }

    /// The delegates that may be asked about the task: its own first, then the session's.
    var delegates: [any URLSessionTaskDelegate] {
        let own = task.delegate
        guard let common = session.delegate as? any URLSessionTaskDelegate, common !== own else {
            return own.map { [$0] } ?? []
        }
        return (own.map { [$0] } ?? []) + [common]
    }

    /// Asks, on the session's delegate queue, the first delegate that implements a callback.
    func ask(
        _ call: @escaping @Sendable (any URLSessionTaskDelegate) -> Bool,
        otherwise: @escaping @Sendable () -> Void = {}
    ) {
        let delegates = delegates
        session.delegateQueue.addOperation {
            if !delegates.contains(where: call) { otherwise() }
        }
    }
}
