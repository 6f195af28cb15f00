import Foundation

/// Two things that are measured against each other, and the ratio that is wanted of them.
struct Benchmark: Sendable {
    /// The name: the family, a slash, and what is compared.
    let name: String
    let bar: Bar
    /// Whether it is quick, and steady enough for its bar to hold on a busy machine.
    let isShort: Bool
    /// Makes, once, what both sides need, which lasts as long as they do.
    let sides: @Sendable () async throws -> Sides

    init(_ name: String, _ bar: Bar, isShort: Bool = false, sides: @escaping @Sendable () async throws -> Sides)
    {
        self.name = name
        self.bar = bar
        self.isShort = isShort
        self.sides = sides
    }

    /// What is measured on either side of a ratio; each call gives one sample.
    struct Sides: Sendable {
        typealias Sample = @Sendable () async throws -> Double

        let numerator: Sample
        let denominator: Sample
    }
}

enum Bar: Sendable, CustomStringConvertible {
    case atMost(Double)
    case atLeast(Double)
    /// Any: it is only reported.
    case any

    /// The part of a bar by which a ratio may miss it and still pass: what a busy machine adds.
    static let margin = 0.10

    func holds(_ ratio: Double) -> Bool {
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

/// What was found of one benchmark: ratios from rounds in which both sides took turns.
struct Figure: Encodable, Sendable, CustomStringConvertible {
    static let rounds = 5

    let name: String
    /// The ratio in the middle.
    let ratio: Double
    let minimum: Double
    let maximum: Double
    let bar: String
    let holds: Bool

    /// Measures a benchmark, after a round that does not count.
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
        holds = benchmark.bar.holds(ratio)
    }

    var description: String {
        let columns = [
            (name, 22), (ratio.twoPlaces, 8),
            ("(\(minimum.twoPlaces)–\(maximum.twoPlaces))", 18), ("bar \(bar)", 14),
        ]
        return columns.map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
            + (holds ? "ok" : "WORSE")
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
