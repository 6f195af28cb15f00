/// What the compressed bodies of one cassette may still grow to.
///
/// A reader makes one and hands it from entry to entry, so that many small bodies cannot ask together for what none of them
/// may ask for alone.
struct InflationBudget {
    private let limits: CassetteLimits
    private var rest: Int

    init(_ limits: CassetteLimits) {
        self.limits = limits
        rest = limits.maximumInflatedSize
    }

    /// The number of bytes that the next body may grow to.
    var next: Int { min(limits.maximumInflatedBody, rest) }

    /// What is wrong with a body that would grow beyond ``next``.
    var excess: InflationExcess {
        rest < limits.maximumInflatedBody
            ? .cassette(limit: limits.maximumInflatedSize) : .body(limit: limits.maximumInflatedBody)
    }

    /// Takes bytes off, those as well that a broken body grew to in vain, for they had to be made all the same.
    mutating func spend(_ count: Int) {
        rest = max(0, rest - count)
    }
}

/// Why a body is left compressed.
enum InflationExcess: Error {
    /// It would grow beyond what one body may have.
    case body(limit: Int)
    /// It would grow beyond what those before it have left of what all bodies of a cassette may have.
    case cassette(limit: Int)

    /// What is wrong, to follow the name of the body.
    var cause: String {
        switch self {
        case .body(let limit): "has more than \(limit) bytes when it is decompressed"
        case .cassette(let limit):
            "and those before it have more than \(limit) bytes together when they are decompressed"
        }
    }
}
