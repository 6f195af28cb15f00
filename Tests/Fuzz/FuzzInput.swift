import Foundation

/// The bytes of an input, from which a target reads its parts.
struct FuzzInput {
    private var rest: Data

    init(_ data: Data) {
        rest = data
    }

    /// The bytes that are not read yet.
    var remainder: Data { rest }

    /// The next byte; zero at the end.
    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// The bytes up to the next separator, or all remaining bytes. In seeds, the separator is on its own line.
    mutating func part(endedBy end: UInt8 = 0x1E) -> Data {
        guard let index = rest.firstIndex(of: end) else {
            defer { rest = Data() }
            return rest
        }
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
    }

    /// The next part as text, with invalid UTF-8 replaced.
    mutating func text() -> String {
        String(decoding: part(), as: UTF8.self)
    }

    /// The next part as header fields, one per line.
    mutating func headers() -> [(name: String, value: String)] {
        text().split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }
}
