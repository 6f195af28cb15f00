extension Interaction {
    /// Changes the times at which the pieces of the body arrive, and leaves the pieces as they are.
    mutating func changeOffsets(_ change: (Double) -> Double) {
        changeResponse { response in
            let chunks = response.body.chunks.map { Body.Chunk(offset: change($0.offset), count: $0.count) }
            response.body = Body(response.body.data, chunks: chunks)
        }
    }

    /// Multiplies all times by a tempo; where that is zero, none of them is left.
    mutating func multiplyTimes(by tempo: Double) {
        guard tempo != 1 else { return }
        timing = Timing(wait: timing.wait * tempo, receive: timing.receive * tempo)
        changeOffsets { $0 * tempo }
    }

    /// Whether any part of it comes later than at once.
    var takesTime: Bool {
        timing.wait > 0 || timing.receive > 0 || response?.body.chunks.contains { $0.offset > 0 } ?? false
    }
}
