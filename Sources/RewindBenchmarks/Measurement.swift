/// The ratios of one benchmark, from rounds in which both sides took turns.
struct Measurement: Sendable {
    /// The number of rounds that count.
    static let rounds = 5

    /// The ratio of each round, from the least to the greatest.
    let ratios: [Double]

    /// Measures a benchmark, after a round that does not count.
    init(of benchmark: Benchmark) async throws {
        let sides = try await benchmark.sides()
        var ratios: [Double] = []
        for round in 0...Self.rounds {
            let numerator = try await sides.numerator()
            let denominator = try await sides.denominator()
            if round > 0 { ratios.append(numerator / denominator) }
        }
        self.ratios = ratios.sorted()
    }

    /// The ratio in the middle.
    var median: Double { ratios[ratios.count / 2] }
    /// The least ratio.
    var minimum: Double { ratios[0] }
    /// The greatest ratio.
    var maximum: Double { ratios[ratios.count - 1] }

    /// The seconds that a piece of work takes.
    static func seconds(of work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work()
        return start.duration(to: .now) / .seconds(1)
    }
}
