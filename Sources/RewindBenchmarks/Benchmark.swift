/// Two things that are measured against each other, and the ratio that is wanted of them.
struct Benchmark: Sendable {
    /// The name: the family, a slash, and what is compared.
    let name: String
    /// The ratio wanted.
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

        /// What stands above the line.
        let numerator: Sample
        /// What stands below it.
        let denominator: Sample
    }
}

/// The ratio a benchmark is to have.
enum Bar: Sendable {
    /// This or less.
    case atMost(Double)
    /// This or more.
    case atLeast(Double)
    /// Any: it is told for what it is.
    case any

    /// The part of a bar by which a ratio may miss it and still pass: what a busy machine adds.
    static let margin = 0.10

    /// Whether a ratio is not worse than the bar by more than the margin.
    func holds(_ ratio: Double) -> Bool {
        switch self {
        case .atMost(let limit): ratio <= limit * (1 + Self.margin)
        case .atLeast(let limit): ratio >= limit * (1 - Self.margin)
        case .any: true
        }
    }
}

extension Bar: CustomStringConvertible {
    var description: String {
        switch self {
        case .atMost(let limit): "≤ \(limit.twoPlaces)"
        case .atLeast(let limit): "≥ \(limit.twoPlaces)"
        case .any: "none"
        }
    }
}
