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

/// How a body comes through a link of limited speed: piece by piece, each when its last byte has come through.
struct Pace {
    /// The bytes that come through in a millisecond.
    let bytesPerMillisecond: Double

    /// The time between two pieces where the link is slow, in milliseconds, which OHHTTPStubs has as well.
    private static let interval = 250.0
    /// The number of pieces of a body, at most and in about, that had none of its own.
    private static let maximumPieces = 10_000

    /// Lets the body come through the link, none of its own pieces before its own time.
    func apply(to interaction: inout Interaction) {
        guard let body = interaction.response?.body, !body.isEmpty else { return }
        let size = pieceSize(of: body)
        var paced: [Body.Chunk] = []
        var free = 0.0
        for own in body.chunks.isEmpty ? [Body.Chunk(offset: 0, count: body.count)] : body.chunks {
            let start = max(free, own.offset)
            var sent = 0
            while sent < own.count {
                let count = min(size, own.count - sent)
                sent += count
                paced.append(Body.Chunk(offset: start + Double(sent) / bytesPerMillisecond, count: count))
            }
            free = start + Double(own.count) / bytesPerMillisecond
        }
        interaction.changeResponse { $0.body = Body(body.data, chunks: paced) }
        // A body in one piece has no chunk to tell its time: it comes at the end.
        interaction.timing.receive = max(interaction.timing.receive, free.roundedToThousandths)
    }

    /// Lets all that follows the head come within a time, evenly, whatever times it had.
    static func spread(_ interaction: inout Interaction, over milliseconds: Double) {
        interaction.timing.receive = 0
        interaction.changeOffsets { _ in 0 }
        if milliseconds > 0, let count = interaction.response?.body.count {
            Pace(bytesPerMillisecond: Double(count) / milliseconds).apply(to: &interaction)
        }
        interaction.timing.receive = milliseconds.roundedToThousandths
    }

    private func pieceSize(of body: Body) -> Int {
        let size = min(bytesPerMillisecond * Self.interval, Double(body.count))
        return max(1, Int(size), body.count / Self.maximumPieces)
    }
}

/// The irregularity of the times at which an answer comes, the same for the same seed.
struct Jitter: Sendable {
    /// How far a pause may be from what it would be.
    enum Extent: Sendable {
        /// By a part of itself, in either direction.
        case fraction(Double)
        /// By so many milliseconds, and only longer.
        case milliseconds(Double)
    }

    let extent: Extent
    let seed: UInt64

    /// Changes the wait for the head and each pause after it, so that the order stays.
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
        return switch extent {
        case .fraction(let fraction): (pause * (1 + fraction * (2 * number - 1))).roundedToThousandths
        case .milliseconds(let milliseconds): (pause + milliseconds * number).roundedToThousandths
        }
    }
}

/// A generator whose numbers are the same in every run and on every platform: SplitMix64 (Steele, Lea and Flood, 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The next number from zero up to one, computed here because the library may change how it does it.
    mutating func nextFraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}

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

extension Body {
    /// Bytes in the place of a response's body that no parser takes, as many and in the same pieces.
    ///
    /// They are of those that UTF-8 never has, so that they are no text, JSON or XML, and of no other format's
    /// beginning. An empty body gets some too, where a response of its status has one (RFC 9110 section 6.4.1).
    static func malformed(like response: Response, seed: UInt64) -> Body {
        var count = response.body.count
        if count == 0, response.status >= 200, ![204, 205, 304].contains(response.status) { count = 64 }
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(0xF8 | UInt8(generator.next() >> 62)) }
        return Body(Data(bytes), chunks: response.body.chunks)
    }
}

/// The times of stubs, in milliseconds as interactions have them.
enum StubTime {
    /// Ten years: a wait that any timeout ends first, where an infinite one could not be written down.
    static let endless = 315_360_000_000.0

    /// A duration in milliseconds, to the microsecond, never longer than ``endless``.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return min(Double(seconds) * 1000 + Double(attoseconds) / 1e15, endless).roundedToThousandths
    }
}
