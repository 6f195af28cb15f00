import Foundation

/// How code of the test runs that a stubber calls: never on the queue on which requests arrive, and never while the stubber
/// is locked.
///
/// On Linux, all sessions of a process share that queue, and Foundation crashes if it uses a session there. On other
/// threads the code may use sessions, wait for requests, and use the stubber. Requests without such code stay on the
/// queue, as each change of the thread costs more than a decision.
extension Stubber {
    /// Runs code of the test on a thread of its own; at once on a thread that already runs such code.
    ///
    /// The stubber answers its requests, like those of the code in ``run(_:)``. The end of the test waits for it.
    func callBack(_ work: @escaping @Sendable () -> Void) {
        if CallbackThreads.isCurrent { return runCallback(work) }
        let pending = pendingWork.begin()
        CallbackThreads.shared.perform { [self] in
            runCallback(work)
            pending.end()
        }
    }

    /// The stubber whose callback is running.
    @TaskLocal static var callingBack: ObjectIdentifier?

    private func runCallback(_ work: () -> Void) {
        Self.$callingBack.withValue(ObjectIdentifier(self)) { run(work) }
    }

    /// Runs work that redacts or matches. It leaves the thread only if that calls code of the test.
    func callBackIfNeeded(_ work: @escaping @Sendable () -> Void) {
        if rules.hasCallbacks { callBack(work) } else { work() }
    }

    /// Calls back on the stubber's serial queue. The end of the test waits for the callback.
    func notify(_ callback: @escaping @Sendable () -> Void) { notify(on: callbacks, callback) }

    func notify(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void) {
        let pending = pendingWork.begin(.callback)
        queue.async { [self] in
            runCallback(callback)
            pending.end()
        }
    }
}

extension Stubber.Configuration {
    /// Whether deciding about a request calls code of the test.
    var hasCallbacks: Bool {
        beforePlayback != nil || passthrough != nil || log != nil || redaction.hasCallbacks
            || matching.contains(where: \.hasCallbacks)
    }

    /// The same configuration for a stubber, with its secrets evaluated.
    var evaluated: Stubber.Configuration {
        var evaluated = self
        evaluated.redaction = redaction.evaluated
        return evaluated
    }
}
