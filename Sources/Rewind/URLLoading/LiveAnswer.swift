import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the answer to a live request, with the time at which each part arrived.
final class Capture: Sendable {
    fileprivate struct State: Sendable {
        let start = ContinuousClock.now
        let bodyCount: Int
        var sentCount = 0
        var headAt: ContinuousClock.Instant?
        var data = Data()
        var chunks: [Interaction.Body.Chunk] = []
        var response: Interaction.Response?
        var outcome: Interaction.Outcome?
    }

    private let recording: Recording?
    private let state: Locked<State>

    init(_ recording: Recording?, bodyCount: Int) {
        self.recording = recording
        state = Locked(State(bodyCount: bodyCount))
    }

    func add(_ event: LiveEvent) {
        let end = state.withLock { $0.add(event) }
        if let end { recording?.finish(end.outcome, timing: end.timing) }
    }

    func interaction(answering request: Interaction.Request) -> Interaction {
        let end = state.withLock { ($0.outcome ?? $0.ending(with: nil), $0.timing) }
        return Interaction(request: request, outcome: end.0, timing: end.1)
    }

    func replacement(for event: LiveEvent) -> Interaction? {
        guard case .end(let failure?) = event, state.withLock({ $0.response == nil }) else { return nil }
        return recording?.replacement(for: failure)
    }

    var whole: Interaction.Response? { state.withLock { $0.whole } }

    /// Whether adding the end may take long.
    var endsSlowly: Bool { recording?.takesLong(for: state.withLock { $0.data.count }) ?? false }
}

extension Capture.State {
    mutating func add(_ event: LiveEvent) -> (outcome: Interaction.Outcome, timing: Interaction.Timing)? {
        // Events after the end, for example after a cancellation, are not part of the answer.
        guard outcome == nil else { return nil }
        switch event {
        case .sent(let count): sentCount += count
        case .head(let response):
            self.response = response
            headAt = .now
        case .data(let piece):
            guard !piece.isEmpty else { return nil }
            // Most bodies of clients that collect them are one large piece, which need not be copied.
            if data.isEmpty, piece.startIndex == 0 { data = piece } else { data.append(piece) }
            chunks.append(
                Interaction.Body.Chunk(offset: milliseconds(from: headAt ?? start), count: piece.count)
            )
        case .end(let failure):
            let outcome = ending(with: failure)
            self.outcome = outcome
            return (outcome, timing)
        }
        return nil
    }

    var whole: Interaction.Response? {
        var response = response
        response?.body = Interaction.Body(data, chunks: chunks)
        return response
    }

    func ending(with failure: Interaction.Failure?) -> Interaction.Outcome {
        if var failure {
            failure.bodyWasSent = bodyCount > 0 && sentCount >= bodyCount
            return .failure(failure, after: whole)
        }
        guard let response = whole else {
            return .failure(Interaction.Failure(URLError(.badServerResponse)), after: nil)
        }
        return .response(response)
    }

    var timing: Interaction.Timing {
        guard let headAt else { return Interaction.Timing(wait: milliseconds(from: start)) }
        return Interaction.Timing(
            wait: milliseconds(from: start, to: headAt),
            receive: milliseconds(from: headAt)
        )
    }

    private func milliseconds(
        from start: ContinuousClock.Instant,
        to end: ContinuousClock.Instant = .now
    ) -> Double {
        let (seconds, attoseconds) = start.duration(to: end).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}

/// What to do after an event of a live request.
enum LiveStep: Sendable {
    case deliver(LiveEvent)
    case play(Interaction, timeScale: Double)
    /// Nothing yet: a transform needs the complete answer.
    case hold
}

extension Capture {
    func step(
        after event: LiveEvent,
        answering request: @autoclosure () -> Interaction.Request,
        transform: Answer.ResponseTransform?,
        timeScale: Double
    ) -> LiveStep {
        if let recorded = replacement(for: event) {
            return Self.play(recorded, timeScale: timeScale, transform)
        }
        add(event)
        guard transform != nil else { return .deliver(event) }
        if case .sent = event { return .deliver(event) }
        guard case .end = event else { return .hold }
        return Self.play(interaction(answering: request()), timeScale: 0, transform)
    }

    private static func play(
        _ interaction: Interaction,
        timeScale: Double,
        _ transform: Answer.ResponseTransform?
    ) -> LiveStep {
        let (transformed, timeScale) = transform?(interaction, timeScale) ?? (interaction, timeScale)
        return .play(transformed, timeScale: timeScale)
    }
}

struct LiveAnswer {
    let exchange: LiveExchange
    let capture: Capture
    var continuation: Load.Continuation?
}

extension Load {
    /// Sends a request to the network and delivers its answer: part by part, or as a whole if there is a transform.
    func forward(_ asked: URLRequest, _ recording: Recording?, transform: Answer.ResponseTransform?) {
        guard let queue = client.queue else { return fail(hiddenQueue(asked)) }
        let capture = Capture(recording, bodyCount: asked.httpBody?.count ?? 0)
        let request = client.liveRequest(for: asked, liveTimeout: loader.timeout)
        let timeScale = stubber?.rules.timeScale ?? 0
        let end = LiveLoader.end(of: recording, in: capture, transform, for: stubber)
        let body = client.liveBody(of: asked)
        let exchange = loader.load(request, sending: body, endingOn: end) { [self] event in
            // Done here and not on the client's queue, which is busy with delivery.
            let step = capture.step(
                after: event,
                answering: Interaction.Request(asked, body: asked.httpBody),
                transform: transform,
                timeScale: timeScale
            )
            queue.perform { [self] in then { [self] in take(step, of: asked) } }
        }
        live = LiveAnswer(exchange: exchange, capture: capture)
        limitTime(queue, asked)
    }

    private func take(_ step: LiveStep, of request: URLRequest) {
        switch step {
        case .deliver(let event): receive(event, of: request)
        case .play(let interaction, let timeScale):
            live = nil
            replay(interaction, to: request, timeScale: timeScale, bodyWasSent: true)
        case .hold: break
        }
    }

    private func limitTime(_ queue: ClientQueue, _ request: URLRequest) {
        let total = client.timeouts(of: request).total
        // A timeout of a day or more needs no timer.
        guard !isLimited, total < 86_400 else { return }
        isLimited = true
        queue.perform(after: total) { [weak self] in
            guard let self, let live else { return }
            let failure = client.timeout
            live.capture.add(.end(failure))
            end(request, failure)
        }
    }

    private func receive(_ event: LiveEvent, of request: URLRequest) {
        guard let live else { return }
        switch event {
        case .sent(let count): client.sent(count)
        case .head(let response):
            // A redirect is delivered only when it is complete: until then it is unknown whether it is followed.
            let continuation = continuation(of: response, to: request)
            self.live?.continuation = continuation
            if !holdsResponse(before: continuation) { begin(response, to: request, isWhole: false) }
        case .data(let data):
            if !holdsResponse(before: live.continuation) { client.receive(data) }
        case .end(let failure):
            self.live = nil
            guard failure == nil, let continuation = live.continuation, let response = live.capture.whole else {
                return end(request, failure)
            }
            proceed(continuation, after: response, to: request)
        }
    }
}
