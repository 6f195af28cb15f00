extension Stubber {
    /// Makes this stubber answer the HTTP requests of the whole process, until ``deactivate()``.
    ///
    /// It is like a scope around everything that the process does: every request is answered that belongs to no inner scope,
    /// whatever thread, queue or detached task makes it, and whether its session is older or newer. Use it where there is no
    /// closure to run, as in a preview or a demo:
    ///
    /// ```swift
    /// let stubber = try Stubber(at: cassette, mode: .never)
    /// stubber.activate()
    /// ```
    ///
    /// - The stubber of a test or of ``withCassette(_:in:mode:configuration:filePath:_:)`` answers first. What its cassette
    ///   lacks, the cassette of the active stubber replays.
    /// - Only one stubber is active. Another one that you activate replaces it. A second call for the same one does nothing.
    /// - Rewind retains the stubber while it is active. If you eject it, it stays active and refuses every request, so that
    ///   none reaches the network by accident.
    ///
    /// Requests that began before the call are not affected.
    public func activate() {
        guard !isActive else { return }
        do {
            try claimCassette()
        } catch {
            // Another scope uses the cassette. Without the claim, both are saved one after the other.
            Note.print("\(error)")
        }
        ActiveRoutes.shared.setProcess(Route(self)) { $0?.stubber !== self }
    }

    /// Ends what ``activate()`` began: later requests without a scope go to the network.
    ///
    /// It does nothing if the stubber is not active. Requests in progress keep the stubber. The recording is written by
    /// ``eject(testFailed:)``, not by this call.
    public func deactivate() { ActiveRoutes.shared.setProcess(nil) { $0?.stubber === self } }

    /// Whether this stubber answers the requests of the whole process.
    package var isActive: Bool { ActiveRoutes.shared.ofProcess?.stubber === self }
}
