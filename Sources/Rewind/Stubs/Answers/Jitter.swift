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
