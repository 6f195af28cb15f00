import Foundation

/// Two measurements and the required ratio between them.
struct Benchmark: Sendable {
    /// The name: a group, a slash and what is compared.
    let name: String
    let bar: Bar
    /// Whether it is fast, and stable enough to pass on a busy machine.
    let isShort: Bool
    /// Creates both sides and the state they share.
    let sides: @Sendable () async throws -> Sides

    /// Creates a benchmark. Without optimization, the ratio is only reported unless it has a limit for that.
    init(
        _ name: String,
        _ bar: Bar,
        inDebugBuilds debugBar: Bar = .any,
        isShort: Bool = false,
        sides: @escaping @Sendable () async throws -> Sides
    ) {
        self.name = name
        #if DEBUG
            self.bar = debugBar
        #else
            self.bar = bar
        #endif
        self.isShort = isShort
        self.sides = sides
    }

    /// The measurements of a ratio; each call returns one sample.
    struct Sides: Sendable {
        typealias Sample = @Sendable () async throws -> Double

        let numerator: Sample
        let denominator: Sample
    }
}

enum Bar: Sendable, CustomStringConvertible {
    case atMost(Double)
    case atLeast(Double)
    /// No limit: the ratio is only reported.
    case any

    /// The tolerance for a busy machine, as a fraction of the limit.
    static let margin = 0.10

    func accepts(_ ratio: Double) -> Bool {
        switch self {
        case .atMost(let limit): ratio <= limit * (1 + Self.margin)
        case .atLeast(let limit): ratio >= limit * (1 - Self.margin)
        case .any: true
        }
    }

    var description: String {
        switch self {
        case .atMost(let limit): "≤ \(limit.twoPlaces)"
        case .atLeast(let limit): "≥ \(limit.twoPlaces)"
        case .any: "none"
        }
    }
}

/// The result of a benchmark: the ratios of several rounds, each of which measures both sides.
struct Figure: Encodable, Sendable, CustomStringConvertible {
    static let rounds = 5

    let name: String
    /// The median of the ratios.
    let ratio: Double
    let minimum: Double
    let maximum: Double
    let bar: String
    let passes: Bool

    /// Measures a benchmark, after a warm-up round.
    init(of benchmark: Benchmark) async throws {
        let sides = try await benchmark.sides()
        var ratios: [Double] = []
        for round in 0...Self.rounds {
            let numerator = try await sides.numerator()
            let denominator = try await sides.denominator()
            if round > 0 { ratios.append(numerator / denominator) }
        }
        ratios.sort()
        name = benchmark.name
        ratio = ratios[ratios.count / 2]
        minimum = ratios[0]
        maximum = ratios[ratios.count - 1]
        bar = "\(benchmark.bar)"
        passes = benchmark.bar.accepts(ratio)
    }

    var description: String {
        let columns = [
            (name, 24), (ratio.twoPlaces, 8),
            ("(\(minimum.twoPlaces)–\(maximum.twoPlaces))", 18), ("limit \(bar)", 16),
        ]
        return columns.map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
            + (passes ? "ok" : "FAILED")
    }
}

enum Measurement {
    static func seconds(of work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work()
        return start.duration(to: .now) / .seconds(1)
    }
}

extension Double {
    fileprivate var twoPlaces: String { String(format: "%.2f", self) }
}
