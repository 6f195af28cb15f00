import Foundation
import Rewind

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A protocol client that checks the requirements of Apple's loading system and records every violation.
///
/// The rules are from the read-me of Apple's CustomHTTPProtocol and the documentation of `URLProtocolClient`.
final class ContractClient: NSObject, URLProtocolClient, @unchecked Sendable {
    // Sound as @unchecked Sendable: a lock protects the mutable state.

    /// What the loading system receives.
    enum Event {
        case head(HTTPURLResponse)
        case data(Data)
        case end((any Error)?)
    }

    /// A requirement of the loading system.
    enum Rule: String, CaseIterable {
        case thread = "a callback on another thread than startLoading"
        case headBeforeData = "data before the head"
        case oneHead = "a second head"
        case headBeforeEnd = "a successful end without a head"
        case oneEnd = "a second end"
        case nothingAfterEnd = "a callback after the end"
        case nothingAfterStop = "a callback after stopLoading"
        case noEmptyPiece = "an empty chunk"
        case indicesFromZero = "a chunk whose indices do not begin at 0"
        case decisionsFirst = "a redirect or challenge after the head"
        case noRedirect = "wasRedirectedTo, after which the system may deliver the redirect itself or end twice"
        case noCache = "a cacheable response"
    }

    private struct State {
        var hasHead = false
        var hasEnded = false
        var isStopped = false
        var broken: [Rule] = []
    }

    private let state = Locked(State())
    private let thread: SimulatedThread
    private let receive: @Sendable (Event) -> Void

    init(on thread: SimulatedThread, receive: @escaping @Sendable (Event) -> Void) {
        self.thread = thread
        self.receive = receive
    }

    /// The rules that were broken.
    var broken: [Rule] { state.withLock { $0.broken } }

    /// Notes that `stopLoading` was called.
    func stop() { state.withLock { $0.isStopped = true } }

    /// The rules that the delegate's callbacks violate: a decision must not follow the head.
    static func broken(by events: [String]) -> [Rule] {
        guard let head = events.firstIndex(where: { $0.hasPrefix("response ") }) else { return [] }
        let late = events[head...].contains { $0.hasPrefix("redirect ") || $0.hasPrefix("challenge ") }
        return late ? [.decisionsFirst] : []
    }

    private func check(_ rules: (inout State) -> [Rule]) {
        let isOnThread = thread.isCurrent
        state.withLock { state in
            if !isOnThread { state.broken.append(.thread) }
            if state.isStopped { state.broken.append(.nothingAfterStop) }
            state.broken += rules(&state)
        }
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        check { state in
            defer { state.hasHead = true }
            return (state.hasHead ? [.oneHead] : []) + (state.hasEnded ? [.nothingAfterEnd] : [])
                + (policy == .notAllowed ? [] : [.noCache])
        }
        if let response = response as? HTTPURLResponse { receive(.head(response)) }
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        check { state in
            (state.hasHead ? [] : [.headBeforeData]) + (state.hasEnded ? [.nothingAfterEnd] : [])
                + (data.isEmpty ? [.noEmptyPiece] : []) + (data.startIndex == 0 ? [] : [.indicesFromZero])
        }
        receive(.data(data))
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        check { state in
            defer { state.hasEnded = true }
            return (state.hasHead ? [] : [.headBeforeEnd]) + (state.hasEnded ? [.oneEnd] : [])
        }
        receive(.end(nil))
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        check { state in
            defer { state.hasEnded = true }
            return state.hasEnded ? [.oneEnd] : []
        }
        receive(.end(error))
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {
        check { _ in [.noRedirect] }
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        check { _ in [.noCache] }
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        check { state in state.hasHead ? [.decisionsFirst] : [] }
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
