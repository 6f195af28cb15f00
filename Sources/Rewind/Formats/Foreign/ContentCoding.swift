import Foundation

/// Removes content codings such as gzip (RFC 9110 section 8.4.1), because some recorders store bodies as they were sent.
///
/// Other recorders decode bodies but keep the field. So a coding whose signature is missing was removed already. A body
/// that has the signature must be complete and have the right checksums.
enum ContentCoding {
    /// Decodes a body from all codings that its header names, the last one first.
    /// - Throws: ``BodyAbsence`` if the body is damaged or its coding is not supported, ``InflationExcess`` if the budget is
    ///   exceeded.
    static func decoded(_ data: Data, _ headers: HeaderList, _ budget: inout InflationBudget) throws -> Data {
        var data = data
        // A field may repeat a coding very often, so each one is looked for once in the same bytes.
        var removed: Set<String> = []
        for coding in headers.contentCodings.reversed() where !data.isEmpty && !removed.contains(coding) {
            if let decoded = try decoded(data, from: coding, &budget) {
                data = decoded
                removed = []
            } else {
                removed.insert(coding)
            }
        }
        return data
    }

    /// The content of a body; `nil` if the coding was removed already.
    private static func decoded(_ data: Data, from coding: String, _ budget: inout InflationBudget) throws
        -> Data?
    {
        switch coding {
        case "gzip", "x-gzip": return try gunzipped(data, &budget)
        case "deflate": return try deflated(data, &budget)
        case "zstd": try refuse(coding, if: begins(data, with: [0x28, 0xB5, 0x2F, 0xFD]))
        case "compress", "x-compress": try refuse(coding, if: begins(data, with: [0x1F, 0x9D]))
        // Brotli has no signature.
        default: try refuse(coding, if: !isText(data) && !hasSignature(data))
        }
        return nil
    }

    private static func refuse(_ coding: String, if isEncoded: Bool) throws(BodyAbsence) {
        guard isEncoded else { return }
        throw BodyAbsence(reason: "the body is compressed with \(coding.prefix(40)), which is not supported")
    }

    private static func begins(_ data: Data, with signature: [UInt8]) -> Bool {
        data.starts(with: signature.prefix(data.count))
    }

    private static func gunzipped(_ data: Data, _ budget: inout InflationBudget) throws -> Data? {
        guard CompressedContent.isGzip(data) else { return nil }
        do {
            return Data(try CompressedContent.read([UInt8](data), as: .gzip, &budget).content)
        } catch let damage as CompressionDamage { throw absence("gzip", damage, data) }
    }

    /// Decodes `deflate`: zlib, or DEFLATE without a header, which is accepted only if it ends with the body.
    private static func deflated(_ data: Data, _ budget: inout InflationBudget) throws -> Data? {
        let bytes = [UInt8](data)
        var found: CompressionDamage?
        if CompressedContent.isZlib(bytes) {
            do {
                return Data(try CompressedContent.read(bytes, as: .zlib, &budget).content)
            } catch let damage as CompressionDamage { found = damage }
        }
        // Text may begin like zlib by chance, and a JSON object begins like DEFLATE.
        if isText(data) { return nil }
        do {
            let (content, end) = try CompressedContent.read(bytes, as: .deflate, &budget)
            if end == bytes.count { return Data(content) }
        } catch let damage as CompressionDamage { found = found ?? damage }
        if hasSignature(data) { return nil }
        throw absence("deflate", found ?? .block, data)
    }

    private static func absence(_ coding: String, _ damage: CompressionDamage, _ data: Data) -> BodyAbsence {
        BodyAbsence(reason: "the \(coding) body \(damage.cause(count: data.count))")
    }

    /// Whether a body is text, which compressed bytes are not: UTF-8 without control characters, or text in another
    /// encoding that is too long to be without control characters by chance.
    private static func isText(_ data: Data) -> Bool {
        if HARBody.isText(data) { return true }
        let hasControls = data.contains { $0 < 0x09 || 0x0E...0x1F ~= $0 && $0 != 0x1B || $0 == 0x7F }
        return !hasControls && (data.count >= 128 || data.withUnsafeBytes(WellFormedUTF8.isAll))
    }

    /// Whether a body begins like a common format of files.
    private static func hasSignature(_ data: Data) -> Bool {
        let head = data.prefix(12)
        return signatures.contains(where: head.starts) || head.dropFirst(4).starts(with: Array("ftyp".utf8))
    }

    private static let signatures: [[UInt8]] =
        [
            "GIF8", "RIFF", "%PDF", "PK\u{3}\u{4}", "OggS", "ID3", "wOFF", "wOF2", "OTTO", "fLaC", "\0asm",
            "bplist00",
            "SQLite format", "Rar!",
        ].map { Array($0.utf8) } + [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD],
            [0x1A, 0x45, 0xDF, 0xA3], [0, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE],
            [0xFE, 0xFF],
        ]
}

extension InflationBudget {
    /// The budget of a cassette.
    init(_ limits: CassetteLimits) {
        self.init(body: limits.maximumInflatedBody, total: limits.maximumInflatedSize)
    }
}

extension InflatingCassetteReader {
    package static func read(_ data: Data) throws -> Cassette { try read(data, limits: .default) }
}
