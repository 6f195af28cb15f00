import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A part of an answer, in the order in which the client receives them.
package enum AnswerPart: Sendable {
    case whole(Interaction.Response)
    /// The status and header fields of a response, without its body.
    case head(Interaction.Response)
    case piece(Data)
    case end
    case failure(Interaction.Failure)
    case refusal(Miss)

    package var isLast: Bool {
        switch self {
        case .head, .piece: false
        case .whole, .end, .failure, .refusal: true
        }
    }
}

extension AnswerPart {
    /// A complete response; `nil` if the interaction is a failure or is replayed with its timing.
    init?(whole interaction: Interaction, timeScale: Double) {
        guard timeScale <= 0, case .response(let response) = interaction.outcome else { return nil }
        self = .whole(response)
    }
}

package enum AnswerSource: Hashable, Sendable {
    /// From the cassette, at a position counted from zero. Also used for stubs.
    case cassette(position: Int)
    case recorded
    /// From the network, without being recorded.
    case network
    case nowhere
}

/// Asks a stubber about requests that are not URLSession tasks, such as those that a server receives.
package struct DirectHandler: Sendable {
    private let stubber: Stubber
    private let loader: LiveLoader

    package init(_ stubber: Stubber) {
        self.stubber = stubber
        loader = .of(stubber)
    }

    package func ask(_ request: Interaction.Request, completed: (@Sendable () -> Interaction.Request)? = nil)
        -> DirectAnswer
    {
        let incoming = IncomingRequest(request, complete: completed)
        defer { stubber.announce(incoming) }
        let answer = stubber.answer(to: incoming)
        switch answer {
        case .play(let recorded, let timeScale):
            if let whole = AnswerPart(whole: recorded.interaction, timeScale: timeScale) {
                stubber.requestLog.noteAnswer(to: incoming)
                return .given(whole, .cassette(position: recorded.position))
            }
        case .refuse(let miss):
            stubber.requestLog.noteAnswer(to: incoming)
            return .given(.refusal(miss), .nowhere)
        case .forward, .compute: break
        }
        let exchange = DirectExchange(incoming, of: stubber, through: loader)
        exchange.act(on: answer)
        return .coming(exchange)
    }
}

package enum DirectAnswer: Sendable {
    /// The complete answer, known at once; most answers are.
    case given(AnswerPart, AnswerSource)
    case coming(DirectExchange)
}

/// A request that is not a URLSession task, and its answer, part by part.
///
/// The parts are queued until the client takes them, so that a slow client delays neither the network's queue nor other
/// exchanges. The queue has no limit: a recording stays in memory anyway until the cassette is written.
package final class DirectExchange: @unchecked Sendable {
    // Sound as @unchecked Sendable: all mutable state is read and written only while `lock` is locked.
    private let lock = NSLock()
    /// Entered by a reader that waits, and left when a part arrives. Not an `NSCondition`, whose timeout uses the wall
    /// clock and would wait an hour longer if that is set back.
    private let arrival = DispatchGroup()
    private var isAwaited = false
    private var parts: [AnswerPart] = []
    private var scheduled: ArraySlice<(due: ContinuousClock.Instant, part: AnswerPart)> = []
    private var origin = AnswerSource.nowhere
    private var isCancelled = false
    private var pending: PendingWork.Token?
    /// Each cancels work that was started for the exchange; may be called after that work has ended.
    private var ends: [@Sendable () -> Void] = []
    /// When the last part arrived; `nil` before the head and after the end.
    private var lastSign: ContinuousClock.Instant?

    private let incoming: IncomingRequest
    private let request: Interaction.Request
    private let stubber: Stubber
    private let loader: LiveLoader

    init(_ incoming: IncomingRequest, of stubber: Stubber, through loader: LiveLoader) {
        self.incoming = incoming
        request = incoming.full
        self.stubber = stubber
        self.loader = loader
    }

    convenience init(_ request: Interaction.Request, of stubber: Stubber, through loader: LiveLoader) {
        self.init(IncomingRequest(request), of: stubber, through: loader)
    }

    // MARK: Client

    /// Takes the parts that have arrived, in order. Waits for the next one if there are none.
    package func takeParts(within seconds: TimeInterval) -> [AnswerPart] {
        let deadline = Deadline(after: seconds)
        while let rest = locked({ timeToWait(until: deadline) }) {
            _ = arrival.wait(timeout: .now() + rest / .seconds(1))
            locked { announce() }
        }
        let taken = locked {
            if let last = parts.last { lastSign = last.isLast ? nil : .now }
            defer { parts = [] }
            return parts
        }
        if taken.last?.isLast == true, !locked({ isCancelled }) {
            stubber.requestLog.noteAnswer(to: incoming)
        }
        return taken
    }

    /// Called with the lock held.
    private func timeToWait(until deadline: Deadline) -> Duration? {
        guard parts.isEmpty else { return nil }
        let now = ContinuousClock.now
        while let next = scheduled.first, next.due <= now {
            parts.append(next.part)
            scheduled.removeFirst()
        }
        let rest = deadline.rest
        guard parts.isEmpty, rest > .zero else { return nil }
        if !isAwaited { arrival.enter() }
        isAwaited = true
        return min(rest, scheduled.first.map { now.duration(to: $0.due) } ?? rest)
    }

    /// Called with the lock held.
    private func announce() {
        if isAwaited { arrival.leave() }
        isAwaited = false
    }

    package var source: AnswerSource { locked { origin } }

    /// The time since the client took the last part; `nil` before the head and after the end.
    package var silence: Duration? { locked { lastSign?.duration(to: .now) } }

    /// Ends the exchange and its live request. A recording contains what arrived so far, as a cancelled request.
    package func cancel() {
        let ends = locked {
            if !isCancelled { parts = [.failure(Interaction.Failure(code: NSURLErrorCancelled))] }
            scheduled = []
            isCancelled = true
            announce()
            defer { self.ends = [] }
            return self.ends
        }
        for end in ends { end() }
        decided()
    }

    // MARK: The stubber's decision

    func act(on answer: Answer) {
        switch answer {
        case .compute(let compute):
            locked { if !isCancelled { pending = pending ?? stubber.pendingWork.begin() } }
            let task = Task { act(on: await stubber.run { await compute() }) }
            return cancelling { task.cancel() }
        case .play(let recorded, let timeScale):
            locked { origin = .cassette(position: recorded.position) }
            play(recorded.interaction, timeScale: timeScale)
        case .forward(let recording, let transform):
            locked { origin = recording?.isKept == true ? .recorded : .network }
            forward(recording, transform: transform)
        case .refuse(let miss): give([.refusal(miss)])
        }
        decided()
    }

    private func decided() {
        let pending = locked {
            defer { self.pending = nil }
            return self.pending
        }
        pending?.end()
    }

    // MARK: Replay

    private func play(_ interaction: Interaction, timeScale: Double) {
        if let whole = AnswerPart(whole: interaction, timeScale: timeScale) { return give([whole]) }
        if interaction.failure?.isCancellationByApp == true {
            // Nothing follows until the client disconnects, or the server stops and ends silent connections.
            locked { lastSign = lastSign ?? .now }
        }
        let endless = ReplaySchedule.Timeouts(idle: .infinity, total: .infinity)
        let schedule = ReplaySchedule(interaction, timeScale: max(timeScale, 0), timeouts: endless)
        guard let clock = stubber.configuration.clock, timeScale > 0 else {
            return self.schedule(schedule.steps, of: interaction)
        }
        let task = Task {
            // The clock may be code of the test.
            await stubber.run {
                await schedule.run(on: clock) { step in
                    if let part = part(step, of: interaction) { give([part]) }
                }
            }
        }
        cancelling { task.cancel() }
    }

    private func schedule(_ steps: [(seconds: Double, step: ReplaySchedule.Step)], of interaction: Interaction)
    {
        let start = ContinuousClock.now
        locked {
            guard !isCancelled else { return }
            scheduled += steps.compactMap { seconds, step in
                part(step, of: interaction).map { (start + .seconds(seconds), $0) }
            }
            announce()
        }
    }

    private func part(_ step: ReplaySchedule.Step, of interaction: Interaction) -> AnswerPart? {
        switch step {
        case .head: interaction.response.map { .head($0.withoutBody) }
        case .piece(let data): .piece(data.fromZero)
        case .end:
            // A client that disconnected during the recording will disconnect again.
            interaction.failure.map { $0.isCancellationByApp ? nil : .failure($0) } ?? .end
        case .timeout: nil
        }
    }

    // MARK: The network

    private func forward(_ recording: Recording?, transform: Answer.ResponseTransform?) {
        let capture = Capture(recording, bodyCount: request.body?.count ?? 0)
        let timeScale = stubber.rules.timeScale
        guard let live = URLRequest(forwarding: request, timeout: loader.timeout) else {
            let failure = Interaction.Failure(URLError(.badURL))
            capture.add(.end(failure))
            return give([.failure(failure)])
        }
        let end = LiveLoader.end(of: recording, in: capture, transform, for: stubber)
        let exchange = loader.load(live, endingOn: end) { [self] event in
            // Events after a cancellation are recorded too, as a replay has to repeat them.
            switch capture.step(after: event, answering: request, transform: transform, timeScale: timeScale) {
            case .deliver(let event): if let part = AnswerPart(event) { give([part]) }
            case .play(let interaction, let timeScale): play(interaction, timeScale: timeScale)
            case .hold: break
            }
        }
        cancelling { exchange.cancel() }
    }

    // MARK: The queue of parts

    private func give(_ more: [AnswerPart]) {
        locked {
            guard !isCancelled else { return }
            parts += more
            announce()
        }
    }

    /// Registers work that a cancellation ends. Ends it at once if the exchange is already cancelled.
    private func cancelling(_ end: @escaping @Sendable () -> Void) {
        let isLate = locked {
            if !isCancelled { ends.append(end) }
            return isCancelled
        }
        if isLate { end() }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

extension AnswerPart {
    fileprivate init?(_ event: LiveEvent) {
        switch event {
        case .sent: return nil
        case .head(let response): self = .head(response)
        case .data(let data): self = .piece(data)
        case .end(let failure): self = failure.map { .failure($0) } ?? .end
        }
    }
}

extension Interaction.Response {
    fileprivate var withoutBody: Interaction.Response {
        var head = self
        head.body = Interaction.Body()
        return head
    }
}
