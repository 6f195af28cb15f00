import Foundation

/// A body that an app compressed with gzip (RFC 1952) or zlib (RFC 1950).
struct CompressedContent {
    /// The decompressed bytes.
    let content: Data
    private let format: Format

    private enum Format { case gzip, zlib }

    /// Decompresses a body; `nil` if it has another format, is damaged, or decompresses to more bytes than a limit.
    init?(_ body: Data, atMost limit: Int) {
        // The first bytes rule out most bodies, which are then not copied.
        guard body.count > 6, let format = Self.format(ofHead: [UInt8](body.prefix(3))) else { return nil }
        let bytes = [UInt8](body)
        let content =
            switch format {
            case .gzip: Self.gunzipped(bytes, atMost: limit)
            case .zlib: Self.zlibContent(of: bytes, atMost: limit)
            }
        guard let content else { return nil }
        (self.format, self.content) = (format, content)
    }

    /// The format that the first three bytes show. A zlib stream with a dictionary is not supported.
    private static func format(ofHead head: [UInt8]) -> Format? {
        if head == [0x1F, 0x8B, 8] { return .gzip }
        let isZlib = head[0] & 15 == 8 && (Int(head[0]) << 8 + Int(head[1])) % 31 == 0 && head[1] & 32 == 0
        return isZlib ? .zlib : nil
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
            return Data(head + blocks + Self.littleEndian(CRC32.checksum(of: bytes)) + Self.littleEndian(size))
        case .zlib:
            return Data([0x78, 0x01] + blocks + Self.littleEndian(Adler32.checksum(of: bytes)).reversed())
        }
    }

    /// The content of all members, one after the other (RFC 1952 section 2.2).
    private static func gunzipped(_ bytes: [UInt8], atMost limit: Int) -> Data? {
        var content = Data()
        var position = 0
        while position < bytes.count {
            guard let start = endOfHead(in: bytes, from: position) else { return nil }
            let member = Inflation(bytes[start...], atMost: limit - content.count)
            guard let end = member.end, end + 8 <= bytes.count,
                number(in: bytes[end..<end + 4]) == CRC32.checksum(of: member.output),
                number(in: bytes[(end + 4)..<end + 8]) == UInt32(truncatingIfNeeded: member.output.count)
            else { return nil }
            content += member.output
            position = end + 8
        }
        return content
    }

    /// The end of the head of a member (RFC 1952 section 2.3).
    private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
        guard start + 18 <= bytes.count, format(ofHead: Array(bytes[start..<start + 3])) == .gzip else {
            return nil
        }
        let flags = bytes[start + 3]
        var position = start + 10
        if flags & 4 != 0 { position += 2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8 }
        // The name of a file and a comment.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else { return nil }
            position = end + 1
        }
        if flags & 2 != 0 { position += 2 }
        return position < bytes.count ? position : nil
    }

    /// The content of a zlib stream (RFC 1950 section 2.2).
    private static func zlibContent(of bytes: [UInt8], atMost limit: Int) -> Data? {
        let inflation = Inflation(bytes[2...], atMost: limit)
        guard let end = inflation.end, end + 4 == bytes.count,
            number(in: bytes[end...].reversed()) == Adler32.checksum(of: inflation.output)
        else { return nil }
        return Data(inflation.output)
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func number(in bytes: some BidirectionalCollection<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The checksum of gzip (RFC 1952 section 8).
enum CRC32 {
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
}

/// The checksum of zlib (RFC 1950 section 9).
enum Adler32 {
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
