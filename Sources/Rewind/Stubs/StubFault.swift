import Foundation

/// A change to an answer. Times are in milliseconds.
enum StubFault: Sendable {
    /// Delays the status and header fields.
    case delay(Double)
    /// Spreads the body over a time after the header fields.
    case duration(Double)
    case speed(StubAnswer.Speed)
    case jitter(Jitter)
    /// Loses the connection after some bytes.
    case cut(Int)
    case malformation(seed: UInt64)
    case silence

    /// The number of earlier requests makes jitter differ between requests.
    func apply(to interaction: inout Interaction, call: Int) {
        switch self {
        case .delay(let time): interaction.timing.wait += time
        case .duration(let time): interaction.spread(over: time)
        case .speed(let speed): interaction.throttle(to: Double(speed.bytesPerSecond) / 1000)
        case .jitter(let jitter): jitter.apply(to: &interaction, call: call)
        case .cut(let count): interaction.cut(afterBytes: count)
        case .malformation(let seed):
            // A response to HEAD has no body to replace.
            guard interaction.request.method != "HEAD" else { return }
            interaction.changeResponse { $0.body = .malformed(like: $0, seed: seed) }
        case .silence:
            // The session's timeout ends the wait first.
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

    /// Limits the speed: each chunk arrives with its last byte, and not before its own time.
    fileprivate mutating func throttle(to bytesPerMillisecond: Double) {
        guard let body = response?.body, !body.isEmpty else { return }
        // A slow connection delivers a chunk every 250 ms, as in OHHTTPStubs; a body has at most about 10,000 chunks.
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
        // A body in one chunk has no offset; it arrives at the end.
        timing.receive = max(timing.receive, free.roundedToThousandths)
    }

    /// Spreads the body evenly over a time.
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
    /// Replaces a body by as many bytes that no parser accepts, in the same chunks.
    ///
    /// The bytes are invalid in UTF-8, and no file format begins with them. An empty body becomes 64 bytes if a response
    /// with this status can have a body (RFC 9110 section 6.4.1).
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

/// Random changes of times, the same for the same seed.
struct Jitter: Sendable {
    /// The largest change of a pause, as a fraction of it.
    var fraction = 0.0
    /// The longest additional delay in milliseconds.
    var milliseconds = 0.0
    let seed: UInt64

    /// Changes the pauses, not the offsets, so that chunks stay in order.
    func apply(to interaction: inout Interaction, call: Int) {
        var generator = SeededGenerator(seed: seed)
        // A large odd step keeps the random numbers of consecutive requests apart.
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

    /// At least zero and less than one. The standard library's method may change between versions.
    mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Converts durations to milliseconds, the unit of ``Interaction/Timing``.
enum StubTime {
    /// Ten years: longer than any timeout, and finite, as JSON cannot represent infinity.
    static let endless = 315_360_000_000.0

    /// Rounded to the microsecond, never longer than ``endless``.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return min(Double(seconds) * 1000 + Double(attoseconds) / 1e15, endless).roundedToThousandths
    }
}
