import Foundation

/// The bytes of an input, cut into the parts that a target asks for.
struct FuzzInput {
    private var rest: Data

    init(_ data: Data) {
        rest = data
    }

    /// What was not asked for yet.
    var remainder: Data { rest }

    /// The next byte; zero at the end.
    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// The bytes up to the next byte of a value, which seeds have as a line of its own, or all that is left.
    mutating func part(endedBy end: UInt8 = 0x1E) -> Data {
        guard let index = rest.firstIndex(of: end) else {
            defer { rest = Data() }
            return rest
        }
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
    }

    /// The next part as text, what is no UTF-8 mended.
    mutating func text() -> String {
        String(decoding: part(), as: UTF8.self)
    }

    /// The next part as header fields, a line each.
    mutating func headers() -> [(name: String, value: String)] {
        text().split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }
}
