import Foundation

/// The body of a recorded or written response, each piece at its time.
final class ReplayedBody: @unchecked Sendable {
    // Sound as @unchecked Sendable: the task that makes the request uses it until it has the head, and then only the
    // reader of the body, which is one task at a time.
    private let client: ClientRequest
    private let failure: Interaction.Failure?
    private var steps: ArraySlice<(seconds: Double, step: ReplaySchedule.Step)>
    /// Sleeps until a number of seconds after the start; `nil` if the answer arrives at once.
    private let sleep: (@Sendable (Double) async throws -> Void)?

    init(_ interaction: Interaction, timeScale: Double, of client: ClientRequest) {
        self.client = client
        failure = interaction.failure
        let endless = ReplaySchedule.Timeouts(idle: .infinity, total: .infinity)
        steps = ReplaySchedule(interaction, timeScale: max(timeScale, 0), timeouts: endless).steps[...]
        let clock: any Clock<Duration> = client.stubber.configuration.clock ?? ContinuousClock()
        sleep = timeScale > 0 ? Self.timer(clock) : nil
    }

    private static func timer(_ clock: some Clock<Duration>) -> @Sendable (Double) async throws -> Void {
        let start = clock.now
        return { seconds in
            try await clock.sleep(until: start.advanced(by: .seconds(seconds)), tolerance: nil)
        }
    }

    func waitForHead() async throws {
        guard let first = steps.first, first.step == .head else { return }
        try await waitForTime(first.seconds)
        steps.removeFirst()
    }

    func next() async throws -> Data? {
        guard let next = steps.first else { return nil }
        try await waitForTime(next.seconds)
        steps.removeFirst()
        if case .piece(let piece) = next.step { return piece.fromZero }
        steps = []
        try await end()
        return nil
    }

    private func waitForTime(_ seconds: Double) async throws {
        guard let sleep else { return }
        // The clock may be code of the test.
        try await client.stubber.run { try await sleep(seconds) }
    }

    private func end() async throws {
        if failure?.isCancellationByApp == true { await waitForCancellation() } else { client.noteAnswer() }
        if let failure { throw failure.clientError(for: client.url) }
    }

    /// Waits until the task is cancelled, as it was during the recording, or until the test ends.
    private func waitForCancellation() async {
        let stubber = client.stubber
        let (stream, ending) = AsyncStream.makeStream(of: Never.self)
        let held = stubber.whenEnded { ending.finish() }
        let note = Task {
            try await Task.sleep(for: .seconds(Deadline.bounded(stubber.configuration.inFlightTimeout)))
            stubber.noteWait(of: client.request)
        }
        for await _ in stream {}
        note.cancel()
        if let held { stubber.removeCallback(held) }
    }
}
