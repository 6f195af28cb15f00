import Foundation

extension Stubber {
    /// Continues with another cassette.
    ///
    /// Requests in flight belong to the current cassette. The call waits for them, for at most
    /// ``Configuration/inFlightTimeout`` seconds.
    ///
    /// The current cassette is not written yet, because the test may still fail: the end of the test writes all cassettes,
    /// by the rules of ``eject(testFailed:)``. Until then, other tests cannot record the cassette. If you insert it again,
    /// it also replays what the test recorded on it so far, in every mode but `live`, and later requests are added to that
    /// recording.
    /// - Parameters:
    ///   - name: The name of the other cassette, without an extension.
    ///   - directory: Its folder; by default the folder of the current cassette.
    ///   - mode: The recording mode; by default the current one. `REWIND_MODE` overrides it.
    /// - Returns: What was recorded and played on the current cassette so far. Nothing is written yet, so the report names
    ///   no file. The report of ``eject(testFailed:)`` contains the final one in ``EjectReport/replacedCassettes``.
    /// - Throws: ``Stubber/ConfigurationError`` if the name is invalid, ``CassetteError`` if the other cassette cannot be read
    ///   or another test records it, ``ScopeError/requestsInFlight(_:)`` if a request has no response in time. The current
    ///   cassette then stays.
    @discardableResult
    public func insert(_ name: String, in directory: URL? = nil, mode: RecordingMode? = nil) throws
        -> EjectReport
    {
        let current = state.withLock { $0.session }
        let requested = try RecordingMode.inEffect(
            requested: mode ?? current.chosenMode,
            environment: environment
        )
        let present = CassetteSearch.Found(
            directory: current.location.destination.deletingLastPathComponent(),
            isReadOnly: current.location.isReadOnly
        )
        let location = try CassetteLocation(
            name: name,
            in: directory.map { CassetteSearch().reached($0) } ?? present
        )
        let listing = try Self.open(location, by: testName, in: environment)
        let deadline = inFlightDeadline
        while true {
            settleRunningLoop(before: deadline)
            switch try replaceCassette(by: location, requested, listing) {
            case .replaced(let session): return EjectReport(session, self)
            case .inFlight(let requests) where deadline.isOver:
                throw ScopeError.requestsInFlight(requests.map(printable))
            case .inFlight, .changed: continue
            case .ejected:
                Note.print("did not insert \(location.destination.path), because the stubber was ejected")
                return state.withLock { $0.report }
            }
        }
    }

    private enum Replacement {
        case replaced(CassetteSession)
        case inFlight([Interaction.Request])
        /// Something was recorded, or a cassette inserted, at the same time.
        case changed
        case ejected
    }

    private func replaceCassette(
        by location: CassetteLocation,
        _ mode: RecordingMode,
        _ listing: ManifestUse?
    ) throws -> Replacement {
        let (session, use, replaced) = state.withLock { ($0.session, $0.use, $0.replaced) }
        let isSame = session.location.destination == location.destination
        let position = replaced.firstIndex { $0.session.location.destination == location.destination }
        let earlier = isSame ? session : position.map { replaced[$0].session }
        let earlierUse = isSame ? use : position.flatMap { replaced[$0].use }
        var next = try CassetteSession(at: location, mode: mode, configuration: configuration, after: earlier)
        next.use = listing
        // Only the stubber of a scope or a server claims its cassettes.
        let claim = try use.map { _ in try CassetteUse.claim(next, by: testName, extending: earlierUse) }
        let outcome = state.withLock { [next] state -> Replacement in
            if state.isEjected { return .ejected }
            guard state.session.id == session.id, state.replaced.count == replaced.count else {
                return .changed
            }
            let inFlight = state.session.inFlight
            guard inFlight.isEmpty else { return .inFlight(inFlight) }
            guard state.session.recorded.count == session.recorded.count else { return .changed }
            if let position { state.replaced.remove(at: position) }
            let last = state.session
            if !isSame, last.hasCassette {
                state.replaced.append(ReplacedCassette(session: last, use: state.use))
            }
            state.session = next
            state.use = claim
            return .replaced(last)
        }
        if case .replaced = outcome { return outcome }
        if let claim, claim !== earlierUse { claim.end() }
        return outcome
    }
}

/// A cassette that the test replaced by another one. It is written when the test ends.
struct ReplacedCassette: Sendable {
    var session: CassetteSession
    var use: CassetteUse?
}
