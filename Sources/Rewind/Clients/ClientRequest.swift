import Foundation

/// A request of any client, which is answered in the task that waits for the answer.
///
/// Unlike ``DirectExchange``, nothing is queued: whoever reads a body makes it continue. So a slow reader slows down the
/// network, and a cancelled task cancels the live request, without any code for it.
struct ClientRequest: Sendable {
    typealias Live = @Sendable (Interaction.Request) async throws -> Interaction.StreamedResponse

    let stubber: Stubber
    let incoming: IncomingRequest
    let request: Interaction.Request

    init(_ request: Interaction.Request, to stubber: Stubber) {
        self.stubber = stubber
        self.request = request
        // Most decisions need no header fields, whose redaction would take most of their time.
        var light = request
        light.headers = HeaderList()
        incoming = IncomingRequest(light, inAnyScheme: true) { request }
    }

    /// Asks the stubber and delivers its decision. The end of the test waits for the decision by the token.
    func answer(_ pending: PendingWork.Token, _ live: Live) async throws -> Interaction.StreamedResponse {
        let arrival = stubber.receive(incoming)
        let answer =
            arrival.hasCallbacks
            ? await stubber.calledBack { [stubber] in stubber.answer(to: arrival) }
            : stubber.answer(to: arrival)
        stubber.announce(incoming)
        return try await deliver(answer, pending, live)
    }

    private func deliver(_ answer: Answer, _ pending: PendingWork.Token, _ live: Live) async throws
        -> Interaction.StreamedResponse
    {
        switch answer {
        case .compute(let compute):
            return try await deliver(await stubber.run { await compute() }, pending, live)
        case .play(let recorded, let timeScale):
            pending.end()
            return try await replay(recorded.interaction, timeScale)
        case .forward(let recording, let transform):
            pending.end()
            return try await forward(recording, transform, live)
        case .refuse(let miss):
            pending.end()
            noteAnswer()
            throw miss
        }
    }

    func noteAnswer() { stubber.requestLog.noteAnswer(to: incoming) }

    var url: URL? { URL(string: request.url) }

    // MARK: Replay

    func replay(_ interaction: Interaction, _ timeScale: Double) async throws -> Interaction.StreamedResponse {
        var interaction = interaction
        let isWhole = interaction.failure == nil
        interaction.changeResponse { response in
            // The recorded coding describes the body that this client received.
            response.headers = response.headersForClient(
                of: request.method,
                isWhole: isWhole,
                keepsCoding: true
            )
        }
        if timeScale <= 0, case .response(let response) = interaction.outcome {
            noteAnswer()
            return Interaction.StreamedResponse(response)
        }
        let body = ReplayedBody(interaction, timeScale: timeScale, of: self)
        guard let head = interaction.response else {
            // Ends with the error.
            _ = try await body.next()
            throw CancellationError()
        }
        try await body.waitForHead()
        return Interaction.StreamedResponse(head, body: .readOnce { try await body.next() })
    }

    // MARK: The network

    private func forward(
        _ recording: Recording?,
        _ transform: Answer.ResponseTransform?,
        _ live: Live
    ) async throws -> Interaction.StreamedResponse {
        let body = RecordedBody(recording, transform, of: self)
        let answered: Interaction.StreamedResponse
        do {
            answered = try await Route.live { try await live(request) }
        } catch {
            guard let (interaction, timeScale) = await body.end(error) else { throw error }
            return try await replay(interaction, timeScale)
        }
        body.begin(answered)
        guard transform != nil else {
            // The closure has received everything, so nothing can go wrong any more.
            guard case .whole = answered.body.content else {
                return Interaction.StreamedResponse(
                    answered.head,
                    body: .readOnce { try await body.next() }
                )
            }
            while try await body.next() != nil {}
            return answered
        }
        let (interaction, timeScale) = try await body.transformed()
        return try await replay(interaction, timeScale)
    }
}

extension Interaction.BodyStream {
    /// A body that can be read once. What the closure captures is released when the reader is.
    fileprivate static func readOnce(_ read: @escaping () async throws -> Data?) -> Interaction.BodyStream {
        let unread = Locked<AsyncIterator?>(AsyncIterator(read))
        return Interaction.BodyStream(
            .pieces {
                let iterator = unread.withLock { iterator in
                    defer { iterator = nil }
                    return iterator
                }
                return iterator ?? AsyncIterator { throw Interaction.BodyStreamError.alreadyRead }
            }
        )
    }
}

extension Stubber {
    /// Computes a value that needs code of the test, which may block its thread. The threads of tasks must not wait.
    func calledBack<Value: Sendable>(_ compute: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            callBack { continuation.resume(returning: compute()) }
        }
    }
}
