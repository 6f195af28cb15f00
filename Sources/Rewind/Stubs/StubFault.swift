import Foundation

/// Times are milliseconds.
enum StubFault: Sendable {
    /// Delays the head.
    case delay(Double)
    /// The rest arrives within a time after the head.
    case duration(Double)
    case speed(StubAnswer.Speed)
    case jitter(Jitter)
    /// The connection is lost after some bytes.
    case cut(Int)
    case malformation(seed: UInt64)
    case silence

    /// The number of earlier calls makes jitter differ between calls.
    func apply(to interaction: inout Interaction, call: Int) {
        switch self {
        case .delay(let time): interaction.timing.wait += time
        case .duration(let time): interaction.spread(over: time)
        case .speed(let speed): interaction.throttle(to: Double(speed.bytesPerSecond) / 1000)
        case .jitter(let jitter): jitter.apply(to: &interaction, call: call)
        case .cut(let count): interaction.cut(afterBytes: count)
        case .malformation(let seed):
            // The answer to HEAD has no body that could be broken.
            guard interaction.request.method != "HEAD" else { return }
            interaction.changeResponse { $0.body = .malformed(like: $0, seed: seed) }
        case .silence:
            // The session's own timeout ends the wait.
            interaction.outcome = .failure(Interaction.Failure(code: NSURLErrorTimedOut), after: nil)
            interaction.timing = Interaction.Timing(wait: StubTime.endless)
        }
    }
}

extension Interaction {
    /// A scale of zero removes all times.
    mutating func scaleTimes(by timeScale: Double) {
        guard timeScale != 1 else { return }
        timing = Timing(wait: timing.wait * timeScale, receive: timing.receive * timeScale)
        changeOffsets { $0 * timeScale }
    }

    var takesTime: Bool {
        timing.wait > 0 || timing.receive > 0 || response?.body.chunks.contains { $0.offset > 0 } ?? false
    }

    fileprivate mutating func changeOffsets(_ change: (Double) -> Double) {
        changeResponse { response in
            let chunks = response.body.chunks.map {
                Interaction.Body.Chunk(offset: change($0.offset), count: $0.count)
            }
            response.body = Interaction.Body(response.body.data, chunks: chunks)
        }
    }

    /// Limits the speed: each piece arrives when its last byte has passed, and not before its own time.
    fileprivate mutating func throttle(to bytesPerMillisecond: Double) {
        guard let body = response?.body, !body.isEmpty else { return }
        // A slow link gives a piece every 250 ms, as OHHTTPStubs does; a body has at most about 10,000 pieces.
        let slow = Int(min(bytesPerMillisecond * 250, Double(body.count)))
        let size = max(1, slow, body.count / 10_000)
        var throttled: [Interaction.Body.Chunk] = []
        var free = 0.0
        for own in body.chunks.isEmpty ? [Interaction.Body.Chunk(offset: 0, count: body.count)] : body.chunks {
            let start = max(free, own.offset)
            var sent = 0
            while sent < own.count {
                let count = min(size, own.count - sent)
                sent += count
                throttled.append(
                    Interaction.Body.Chunk(offset: start + Double(sent) / bytesPerMillisecond, count: count)
                )
            }
            free = start + Double(own.count) / bytesPerMillisecond
        }
        changeResponse { $0.body = Interaction.Body(body.data, chunks: throttled) }
        // A body in one piece has no chunk that tells its time: it comes at the end.
        timing.receive = max(timing.receive, free.roundedToThousandths)
    }

    /// Spreads everything after the head evenly over a time.
    fileprivate mutating func spread(over milliseconds: Double) {
        timing.receive = 0
        changeOffsets { _ in 0 }
        if milliseconds > 0, let count = response?.body.count { throttle(to: Double(count) / milliseconds) }
        timing.receive = milliseconds.roundedToThousandths
    }

    /// A body that is not longer than the limit arrives whole.
    fileprivate mutating func cut(afterBytes limit: Int) {
        guard var partial = response, partial.body.count > limit else { return }
        var rest = limit
        var chunks: [Interaction.Body.Chunk] = []
        for chunk in partial.body.chunks where rest > 0 {
            chunks.append(Interaction.Body.Chunk(offset: chunk.offset, count: min(chunk.count, rest)))
            rest -= chunk.count
        }
        if !partial.body.chunks.isEmpty { timing.receive = chunks.last?.offset ?? 0 }
        partial.body = Interaction.Body(Data(partial.body.data.prefix(limit)), chunks: chunks)
        outcome = .failure(Interaction.Failure(code: NSURLErrorNetworkConnectionLost), after: partial)
    }
}

extension Interaction.Body {
    /// Bytes in place of a body that no parser accepts, as many and in the same pieces.
    ///
    /// UTF-8 never has them, nor does any format begin with them. An empty body gets some too, where a response of its
    /// status has one (RFC 9110 section 6.4.1).
    fileprivate static func malformed(like response: Interaction.Response, seed: UInt64) -> Interaction.Body {
        var count = response.body.count
        if count == 0, response.status >= 200, ![204, 205, 304].contains(response.status) { count = 64 }
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(0xF8 | UInt8(generator.next() >> 62)) }
        return Interaction.Body(Data(bytes), chunks: response.body.chunks)
    }
}

/// Irregular times, the same for the same seed.
struct Jitter: Sendable {
    /// How much of itself a pause may be shorter or longer by.
    var fraction = 0.0
    /// How many milliseconds a pause may be longer by.
    var milliseconds = 0.0
    let seed: UInt64

    /// Changes the wait for the head and each later pause, so the order stays.
    func apply(to interaction: inout Interaction, call: Int) {
        var generator = SeededGenerator(seed: seed)
        // Each call has numbers of its own, far from those of the call before.
        let start = generator.next() &+ UInt64(truncatingIfNeeded: call) &* 0xD1B5_4A32_D192_ED03
        generator = SeededGenerator(seed: start)
        interaction.timing.wait = changed(interaction.timing.wait, &generator)
        var last = 0.0
        var moved = 0.0
        interaction.changeOffsets { offset in
            moved += changed(max(0, offset - last), &generator)
            last = max(last, offset)
            return moved
        }
        let rest = interaction.timing.receive - last
        moved += rest > 0 ? changed(rest, &generator) : 0
        interaction.timing.receive = moved.roundedToThousandths
    }

    private func changed(_ pause: Double, _ generator: inout SeededGenerator) -> Double {
        let number = generator.nextFraction()
        return (pause * (1 + fraction * (2 * number - 1)) + milliseconds * number).roundedToThousandths
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers in every run and on every platform.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From zero up to one; computed here as the standard library may change its method.
    mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Times in milliseconds, as interactions have them.
enum StubTime {
    /// Ten years: any timeout ends first, and infinity could not be written down.
    static let endless = 315_360_000_000.0

    /// Rounded to the microsecond, never longer than ``endless``.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return min(Double(seconds) * 1000 + Double(attoseconds) / 1e15, endless).roundedToThousandths
    }
}
