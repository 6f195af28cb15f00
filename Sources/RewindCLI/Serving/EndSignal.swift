import Dispatch
import Foundation
import Rewind

/// The signals by which a person or another program ends this one, waited for in place of being ended by them.
final class EndSignal: Sendable {
    private let received = Locked<Int32?>(nil)
    private let waiting = Locked<[@Sendable (Int32) -> Void]>([])
    private let sources: Locked<[any DispatchSourceSignal]>

    /// Begins to wait; it is not undone.
    init() {
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // A handler in place of ignorance, which a command that is run would inherit.
            signal(number) { _ in }
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        self.sources = Locked(sources)
        for (source, number) in zip(sources, [SIGINT, SIGTERM, SIGHUP]) {
            source.setEventHandler { [weak self] in self?.receive(number) }
            source.resume()
        }
    }

    /// The signal that came, if one did.
    var number: Int32? { received.withLock { $0 } }

    /// Calls back for each signal, and for one that came before.
    func whenReceived(_ callback: @escaping @Sendable (Int32) -> Void) {
        waiting.withLock { $0.append(callback) }
        if let number { callback(number) }
    }

    /// Returns when a signal has come.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isFirst = Locked(true)
            whenReceived { _ in
                let resumes = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if resumes { continuation.resume() }
            }
        }
    }

    private func receive(_ number: Int32) {
        received.withLock { $0 = $0 ?? number }
        for callback in waiting.withLock({ $0 }) { callback(number) }
    }
}
