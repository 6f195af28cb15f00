import Foundation

/// A body in one of the formats that `gzip` and `deflate` name: gzip (RFC 1952), zlib (RFC 1950), or DEFLATE (RFC 1951),
/// which some servers send as `deflate`.
struct CompressedContent {
    enum Format { case gzip, zlib, deflate }

    /// The decompressed bytes.
    let content: Data
    private let format: Format

    /// Decompresses the body of a request; `nil` if it is not gzip or zlib, is damaged, has more bytes after the end, or
    /// decompresses to more bytes than a limit.
    init?(_ body: Data, atMost limit: Int) {
        // The first bytes rule out most bodies, which are then not copied.
        let format: Format? = Self.isGzip(body.prefix(3)) ? .gzip : Self.isZlib(body.prefix(2)) ? .zlib : nil
        guard body.count > 6, let format else { return nil }
        let bytes = [UInt8](body)
        var budget = InflationBudget(body: limit, total: limit)
        guard let read = try? Self.read(bytes, as: format, &budget), read.end == bytes.count else { return nil }
        (self.format, content) = (format, Data(read.content))
    }

    /// Whether bytes begin like gzip, even if they end at once.
    static func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.prefix(2).elementsEqual([0x1F, 0x8B].prefix(bytes.count))
    }

    /// Whether the first two bytes are the header of zlib.
    static func isZlib(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(2))
        return head.count == 2 && head[0] & 15 == 8 && head[0] >> 4 <= 7
            && (Int(head[0]) << 8 + Int(head[1])) % 31 == 0
    }

    /// Whether a body is one whole text in a format, with the right checksums.
    static func isWhole(_ body: Data, as format: Format, atMost limit: Int) -> Bool {
        let bytes = [UInt8](body)
        var budget = InflationBudget(body: limit, total: limit)
        guard let read = try? read(bytes, as: format, &budget) else { return false }
        return read.end == bytes.count
    }

    /// Decompresses bytes and compares their checksums.
    /// - Returns: The content, and the position after it. Other bytes may follow.
    /// - Throws: ``CompressionDamage``, or ``InflationExcess`` if the budget is exceeded.
    static func read(_ bytes: [UInt8], as format: Format, _ budget: inout InflationBudget) throws -> (
        content: [UInt8], end: Int
    ) {
        switch format {
        case .gzip: return try gunzipped(bytes, &budget)
        case .zlib:
            guard bytes.count > 1, bytes[1] & 32 == 0 else { throw CompressionDamage.dictionary }
            let (content, end) = try inflated(bytes, from: 2, after: 0, &budget)
            guard end + 4 <= bytes.count else { throw CompressionDamage.truncated }
            guard number(in: bytes[end..<end + 4].reversed()) == Adler32.checksum(of: content[...]) else {
                throw CompressionDamage.checksum
            }
            return (content, end + 4)
        case .deflate: return try inflated(bytes, from: 0, after: 0, &budget)
        }
    }

    /// The content of all members, one after the other (RFC 1952 section 2.2). As for gzip, curl and urllib3, the content
    /// ends where no further member begins. Members may be padded with zeros.
    private static func gunzipped(_ bytes: [UInt8], _ budget: inout InflationBudget) throws -> (
        content: [UInt8], end: Int
    ) {
        var content: [UInt8] = []
        var (end, next) = (0, 0)
        repeat {
            let start = try endOfHead(in: bytes, from: next)
            let member = try inflated(bytes, from: start, after: content.count, &budget)
            end = member.end + 8
            guard end <= bytes.count else { throw CompressionDamage.truncated }
            guard number(in: bytes[end - 8..<end - 4]) == CRC32.checksum(of: member.content[...]) else {
                throw CompressionDamage.checksum
            }
            guard number(in: bytes[end - 4..<end]) == UInt32(truncatingIfNeeded: member.content.count) else {
                throw CompressionDamage.size
            }
            // Most bodies have one member, whose content is not copied.
            content = content.isEmpty ? member.content : content + member.content
            next = bytes[end...].firstIndex { $0 != 0 } ?? bytes.count
        } while isGzip(bytes[next...])
        return (content, end)
    }

    /// The end of the head of a member (RFC 1952 section 2.3).
    private static func endOfHead(in bytes: [UInt8], from start: Int) throws(CompressionDamage) -> Int {
        guard start + 3 <= bytes.count else { throw .truncated }
        guard bytes[start + 2] == 8 else { throw .method }
        guard start + 10 <= bytes.count else { throw .truncated }
        let flags = bytes[start + 3]
        guard flags & 0xE0 == 0 else { throw .flags }
        var position = start + 10
        if flags & 4 != 0 {
            guard position + 2 <= bytes.count else { throw .truncated }
            position += 2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8
        }
        // The name of a file and a comment.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else {
                throw .truncated
            }
            position = end + 1
        }
        if flags & 2 != 0 {
            guard position + 2 <= bytes.count else { throw .truncated }
            let checksum = CRC32.checksum(of: bytes[start..<position]) & 0xFFFF
            guard number(in: bytes[position..<position + 2]) == checksum else { throw .headChecksum }
            position += 2
        }
        guard position < bytes.count else { throw .truncated }
        return position
    }

    private static func inflated(
        _ bytes: [UInt8],
        from start: Int,
        after count: Int,
        _ budget: inout InflationBudget
    ) throws -> (content: [UInt8], end: Int) {
        let inflation = try budget.inflation(of: bytes[start...], after: count)
        switch inflation.end {
        case .success(let end): return (inflation.output, end)
        case .failure(.truncated): throw CompressionDamage.truncated
        case .failure: throw CompressionDamage.block
        }
    }

    /// Other content in the same format, without compression (RFC 1951 section 3.2.4).
    func encoded(_ content: Data) -> Data {
        var blocks: [UInt8] = []
        let bytes = [UInt8](content)
        var start = 0
        repeat {
            let end = min(start + 0xFFFF, bytes.count)
            let count = UInt16(end - start)
            blocks.append(end == bytes.count ? 1 : 0)
            blocks += Self.littleEndian(count) + Self.littleEndian(~count)
            blocks += bytes[start..<end]
            start = end
        } while start < bytes.count
        switch format {
        case .gzip:
            let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
            let size = UInt32(truncatingIfNeeded: bytes.count)
            let checksum = CRC32.checksum(of: bytes[...])
            return Data(head + blocks + Self.littleEndian(checksum) + Self.littleEndian(size))
        case .zlib:
            return Data([0x78, 0x01] + blocks + Self.littleEndian(Adler32.checksum(of: bytes[...])).reversed())
        case .deflate: return Data(blocks)
        }
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func number(in bytes: some BidirectionalCollection<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Why compressed bytes cannot be decompressed completely.
enum CompressionDamage: Error {
    case truncated, block, checksum, size, headChecksum, method, flags, dictionary

    /// The cause, worded to follow "the gzip body".
    func cause(count: Int) -> String {
        switch self {
        case .truncated: "is cut off after \(count) \(count == 1 ? "byte" : "bytes")"
        case .block: "is damaged: a compressed block is invalid"
        case .checksum: "is damaged: its checksum is wrong"
        case .size: "is damaged: its size is wrong"
        case .headChecksum: "is damaged: the checksum of its header is wrong"
        case .method: "has an unknown compression method"
        case .flags: "has unknown flags in its header"
        case .dictionary: "needs a preset dictionary, which is not supported"
        }
    }
}
