import Foundation

/// Removes content codings such as gzip (RFC 9110 section 8.4.1). Some recorders store bodies as they were sent.
enum ContentCoding {
    /// Decodes a body. Many recorders decode the body but do not remove the header, so bytes that do not look encoded stay
    /// unchanged.
    /// - Throws: ``BodyAbsence`` if the coding is not supported, ``InflationExcess`` if the budget is exceeded.
    static func decoded(_ data: Data, _ headers: HeaderList, _ budget: inout InflationBudget) throws -> Data {
        guard !data.isEmpty, let coding = headers["Content-Encoding"]?.trimmingSpaces().lowercased() else {
            return data
        }
        switch coding {
        case "gzip", "x-gzip": return try gunzipped([UInt8](data), &budget) ?? data
        case "deflate": return try deflated([UInt8](data), &budget) ?? data
        case "br", "zstd":
            guard String(data: data, encoding: .utf8) != nil else {
                throw BodyAbsence(reason: "the body is compressed with \(coding), which is not supported")
            }
            return data
        default: return data
        }
    }

    /// Decodes gzip (RFC 1952 section 2.3).
    private static func gunzipped(_ bytes: [UInt8], _ budget: inout InflationBudget) throws -> Data? {
        guard bytes.count > 18, bytes.starts(with: [0x1F, 0x8B, 8]) else { return nil }
        let flags = bytes[3]
        var position = 10
        if flags & 4 != 0 { position += 2 + Int(bytes[10]) + Int(bytes[11]) << 8 }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else { return nil }
            position = end + 1
        }
        if flags & 2 != 0 { position += 2 }
        guard position < bytes.count else { return nil }
        return try budget.inflated(bytes[position...]).map { Data($0) }
    }

    /// Decodes `deflate`: the zlib format (RFC 1950), or plain RFC 1951, which some servers send instead.
    private static func deflated(_ bytes: [UInt8], _ budget: inout InflationBudget) throws -> Data? {
        let hasFrame = bytes.count > 6 && bytes[0] & 15 == 8 && (Int(bytes[0]) << 8 + Int(bytes[1])) % 31 == 0
        let plain = hasFrame ? try budget.inflated(bytes[2...]) : nil
        return try (plain ?? budget.inflated(bytes[...])).map { Data($0) }
    }
}

extension InflatingCassetteReader {
    package static func read(_ data: Data) throws -> Cassette { try read(data, limits: .default) }
}

/// The number of bytes that the compressed bodies of a cassette may still produce. All entries share one budget, so that
/// many small bodies cannot exceed the limit together.
struct InflationBudget {
    private let limits: CassetteLimits
    private var rest: Int

    init(_ limits: CassetteLimits) {
        self.limits = limits
        rest = limits.maximumInflatedSize
    }

    /// The number of bytes that the next body may produce.
    var next: Int { min(limits.maximumInflatedBody, rest) }

    var excess: InflationExcess {
        rest < limits.maximumInflatedBody
            ? .cassette(limit: limits.maximumInflatedSize) : .body(limit: limits.maximumInflatedBody)
    }

    /// Decompresses bytes; `nil` if the input is truncated or invalid. The output of an invalid body counts too.
    /// - Throws: ``InflationExcess`` if the budget is exceeded.
    mutating func inflated(_ input: ArraySlice<UInt8>) throws(InflationExcess) -> [UInt8]? {
        let inflation = Inflation(input, atMost: next)
        let excess = inflation.isTooLarge ? excess : nil
        rest = max(0, rest - inflation.output.count)
        if let excess { throw excess }
        return inflation.end == nil ? nil : inflation.output
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
