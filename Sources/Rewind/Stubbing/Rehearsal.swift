import Foundation

/// What a request will most likely be answered, found out before it is its turn.
///
/// All sessions of a process share the one queue on which requests are decided about. What can be found out of a request
/// elsewhere need not be done there; nothing is decided by it.
package struct Rehearsal: Sendable {
    /// The interaction that was due.
    package let track: Track
    /// The request as it was asked about.
    let request: Request
    /// The request without its secrets.
    let redacted: Request
    /// Where its interactions stand.
    let place: InteractionIndex.Place
    /// The tape on which they stand.
    let tape: UUID

    /// Whether it was held for this very request.
    func isFor(_ other: Request) -> Bool {
        other.body == nil && other.method == request.method && other.url.hasSameBytes(as: request.url)
    }
}

extension Stubber {
    /// Finds out what a request without a body will most likely be answered; `nil` where that is not only looked up.
    package func rehearse(_ request: Request) -> Rehearsal? {
        guard isOnlyPlaying, passthroughHosts.isEmpty, !comparedParts.contains(.headers) else { return nil }
        let (course, playhead, tape) = state.withLock { (Course($0), $0.tape.playhead.lookup, $0.tape.id) }
        guard !course.isOver, !course.isPaused, !course.isRecording, course.stubs == nil, course.outer == nil,
            let playhead
        else { return nil }
        let redacted = course.redactor.redact(request)
        guard let place = playhead.index.place(of: redacted), place.secrets.isEmpty,
            let position = state.withLock({ $0.tape.playhead.position(dueAt: place, on: playhead) })
        else { return nil }
        return Rehearsal(
            track: Track(playhead.reel[position], at: position),
            request: request,
            redacted: redacted,
            place: place,
            tape: tape
        )
    }

    /// Whether neither code of the test nor anything else changes what is played.
    private var isOnlyPlaying: Bool {
        restorer == nil && configuration.beforePlayback == nil && !configuration.refreshesDates
            && configuration.passthrough == nil
    }
}
