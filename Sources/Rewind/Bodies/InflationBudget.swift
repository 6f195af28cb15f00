/// The number of bytes that the compressed bodies of a cassette may still produce. All entries share one budget, so that
/// many small bodies cannot exceed the limit together.
struct InflationBudget {
    /// The limit of one body.
    private let body: Int
    /// The limit of all bodies together.
    private let total: Int
    private var rest: Int

    init(body: Int, total: Int) {
        (self.body, self.total) = (body, total)
        rest = total
    }

    /// Decompresses the next part of a body, of which there are some bytes already. The output of an invalid body counts
    /// too.
    /// - Throws: ``InflationExcess`` if the budget is exceeded.
    mutating func inflation(of input: ArraySlice<UInt8>, after count: Int) throws(InflationExcess) -> Inflation
    {
        let room = body - count
        let inflation = Inflation(input, atMost: min(room, rest))
        let excess: InflationExcess = rest < room ? .cassette(limit: total) : .body(limit: body)
        rest = max(0, rest - inflation.output.count)
        if case .failure(.tooLarge) = inflation.end { throw excess }
        return inflation
    }
}

enum InflationExcess: Error {
    /// The body would exceed the limit of one body.
    case body(limit: Int)
    /// The body and those before it would exceed the limit of the cassette.
    case cassette(limit: Int)

    /// The problem, worded to follow "the body".
    var cause: String {
        switch self {
        case .body(let limit): "decompresses to more than \(limit) bytes"
        case .cassette(let limit):
            "and those before it decompress to more than \(limit) bytes in total"
        }
    }
}
