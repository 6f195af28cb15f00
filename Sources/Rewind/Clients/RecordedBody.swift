import Foundation

/// The body of a live response, recorded as the client reads it.
///
/// A body that is released before its end was abandoned, which is a cancellation by the app.
final class RecordedBody: @unchecked Sendable {
    // Sound as @unchecked Sendable: the task that makes the request uses it until it has the head, and then only the
    // reader of the body, which is one task at a time.
    private let client: ClientRequest
    private let recording: Recording?
    private let transform: Answer.ResponseTransform?
    /// `nil` if nothing is recorded, so that nothing is stored.
    private let capture: Capture?
    private var head = Interaction.Response()
    private var pieces: Interaction.BodyStream.AsyncIterator?
    private var count = 0
    /// Whether the client returned the whole body at once.
    private var isWhole = false
    private var isOver = false

    init(_ recording: Recording?, _ transform: Answer.ResponseTransform?, of client: ClientRequest) {
        self.client = client
        self.recording = recording
        self.transform = transform
        capture =
            recording == nil && transform == nil
            ? nil : Capture(recording, bodyCount: client.request.body?.count ?? 0)
    }

    deinit {
        guard !isOver else { return }
        capture?.add(.end(isComplete ? nil : .cancellation))
    }

    func begin(_ response: Interaction.StreamedResponse) {
        head = response.head
        pieces = response.body.makeAsyncIterator()
        if case .whole = response.body.content { isWhole = true }
        capture?.add(.head(response.head))
    }

    /// Reads the next piece, or the end. Empty pieces are left out, as a replay does not contain them.
    func next() async throws -> Data? {
        do {
            while let piece = try await read() {
                guard !piece.isEmpty else { continue }
                count += piece.count
                capture?.add(.data(piece))
                return piece
            }
        } catch {
            _ = await end(error)
            throw error
        }
        await finish()
        return nil
    }

    private func read() async throws -> Data? {
        guard !isOver, var pieces else { return nil }
        defer { self.pieces = pieces }
        return try await Route.live { try await pieces.next() }
    }

    /// Reads the whole body and changes the response.
    func transformed() async throws -> (Interaction, timeScale: Double) {
        do {
            while let piece = try await read() {
                count += piece.count
                capture?.add(.data(piece))
            }
        } catch {
            guard let changed = await end(error) else { throw error }
            return changed
        }
        guard let changed = await finish() else { throw CancellationError() }
        return changed
    }

    /// Ends after an error of the client.
    /// - Returns: The interaction to replay instead, if there is one.
    func end(_ error: any Error) async -> (Interaction, timeScale: Double)? {
        if Task.isCancelled { return await end(.cancellation) }
        return await end(Interaction.Failure(ofClient: error, to: client.url))
    }

    @discardableResult
    private func finish() async -> (Interaction, timeScale: Double)? {
        guard !isOver else { return nil }
        // Some sequences end without an error if their reader is cancelled.
        return await end(Task.isCancelled && !isComplete ? .cancellation : nil)
    }

    /// Whether it is known that nothing is missing.
    private var isComplete: Bool {
        isWhole || head.headers.contentCodings.isEmpty && head.headers["Content-Length"] == String(count)
    }

    private func end(_ failure: Interaction.Failure?) async -> (Interaction, timeScale: Double)? {
        isOver = true
        pieces = nil
        let step = await step(after: .end(failure))
        if case .play(let interaction, let timeScale) = step { return (interaction, timeScale) }
        if failure?.isCancellationByApp != true { client.noteAnswer() }
        return nil
    }

    private func step(after event: LiveEvent) async -> LiveStep {
        guard let capture else { return .deliver(event) }
        let stubber = client.stubber
        let take = { @Sendable [client, transform] in
            capture.step(
                after: event,
                answering: client.request,
                transform: transform,
                timeScale: stubber.rules.timeScale
            )
        }
        guard transform != nil || recording?.hasCallbacks ?? false else { return take() }
        return await stubber.calledBack(take)
    }
}
