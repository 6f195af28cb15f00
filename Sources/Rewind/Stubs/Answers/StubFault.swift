import Foundation

/// What a stub does to the time and the bytes of an answer.
enum StubFault: Sendable {
    /// The head comes so many milliseconds later.
    case delay(Double)
    /// The rest comes in so many milliseconds after the head.
    case duration(Double)
    /// The body comes at a speed.
    case speed(StubAnswer.Speed)
    /// The times differ from what they would be.
    case jitter(Jitter)
    /// The connection is lost after so many bytes.
    case cut(Int)
    /// The body is bytes that nothing can read.
    case malformation(seed: UInt64)
    /// Nothing comes at all.
    case silence

    /// Changes an interaction.
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - call: The number of earlier calls, which makes jitter differ from call to call.
    func apply(to interaction: inout Interaction, call: Int) {
        switch self {
        case .delay(let milliseconds): interaction.timing.wait += milliseconds
        case .duration(let milliseconds): Pace.spread(&interaction, over: milliseconds)
        case .speed(let speed):
            Pace(bytesPerMillisecond: Double(speed.bytesPerSecond) / 1000).apply(to: &interaction)
        case .jitter(let jitter): jitter.apply(to: &interaction, call: call)
        case .cut(let count): interaction.cut(afterBytes: count)
        case .malformation(let seed):
            // The answer to HEAD has no body that could be broken.
            guard interaction.request.method != "HEAD" else { return }
            interaction.changeResponse { $0.body = .malformed(like: $0, seed: seed) }
        case .silence: interaction.silence()
        }
    }
}

extension Interaction {
    /// Loses the connection after some bytes of the body; a body that has no more than those arrives whole.
    fileprivate mutating func cut(afterBytes limit: Int) {
        guard var partial = response, partial.body.count > limit else { return }
        var rest = limit
        var chunks: [Body.Chunk] = []
        for chunk in partial.body.chunks where rest > 0 {
            chunks.append(Body.Chunk(offset: chunk.offset, count: min(chunk.count, rest)))
            rest -= chunk.count
        }
        if !partial.body.chunks.isEmpty { timing.receive = chunks.last?.offset ?? 0 }
        partial.body = Body(Data(partial.body.data.prefix(limit)), chunks: chunks)
        outcome = .failure(Failure(code: NSURLErrorNetworkConnectionLost), after: partial)
    }

    /// Waits so long that the session's own timeout ends it.
    fileprivate mutating func silence() {
        outcome = .failure(Failure(code: NSURLErrorTimedOut), after: nil)
        timing = Timing(wait: StubTime.endless)
    }
}
