import Foundation

@testable import Rewind

/// Cassettes of other libraries whose responses are stored compressed, as they were received.
enum CompressedCassettes {
    /// A library that stores compressed bodies.
    enum System: String, CaseIterable, Sendable {
        case ruby, python, go, oldPython
    }

    /// A cassette of a library with the given bodies, each labeled with a content coding.
    static func cassette(_ system: System, _ bodies: [Data], coding: String = "gzip") -> Data {
        let entries = bodies.enumerated().map { number, body in
            entry(system, number, body.base64EncodedString(), coding)
        }
        let text =
            switch system {
            case .ruby:
                "{\"http_interactions\": [\n\(entries.joined(separator: ",\n"))\n], \"recorded_with\": \"VCR 6.0.0\"}\n"
            case .python: "interactions:\n\(entries.joined())version: 1\n"
            case .go: "---\nversion: 1\ninteractions:\n\(entries.joined())"
            case .oldPython: "[\n\(entries.joined(separator: ",\n"))\n]\n"
            }
        return Data(text.utf8)
    }

    private static func entry(_ system: System, _ number: Int, _ base64: String, _ coding: String) -> String {
        switch system {
        case .ruby:
            """
            {"request": {"method": "get", "uri": "http://h/\(number)", "headers": {}},
             "response": {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Encoding": ["\(coding)"]},
              "body": {"encoding": "ASCII-8BIT", "base64_string": "\(base64)"}}}
            """
        case .python:
            """
            - request:
                method: GET
                uri: http://h/\(number)
                headers: {}
                body: null
              response:
                status:
                  code: 200
                  message: OK
                headers:
                  Content-Encoding:
                  - \(coding)
                body:
                  string: !!binary |
                    \(base64)

            """
        case .go:
            """
            - request:
                method: GET
                url: http://h/\(number)
                headers: {}
                body: ""
              response:
                headers:
                  Content-Encoding:
                  - \(coding)
                body: !!binary |
                  \(base64)
                status: 200 OK
                code: 200
                duration: 1ms

            """
        case .oldPython:
            """
            {"request": {"protocol": "http", "host": "h", "path": "/\(number)", "method": "GET", "headers": {}},
             "response": {"status": {"code": 200, "message": "OK"}, "headers": ["Content-Encoding: \(coding)\\r\\n"],
              "body": {"base64_string": "\(base64)"}}}
            """
        }
    }
}

/// Compressed bytes that grow to a thousand times their size.
enum Bomb {
    /// Zeros in gzip (RFC 1952). Those that no limit permits have a wrong checksum.
    static func gzip(_ count: Int) -> Data {
        let checksum = count > 1 << 28 ? 0 : CRC32.checksum(of: [UInt8](repeating: 0, count: count)[...])
        return gzip(deflate(count), checksum, count)
    }

    /// Compressed bytes in a gzip frame.
    static func gzip(_ deflated: Data, _ checksum: UInt32 = 0, _ count: Int = 0) -> Data {
        let trailer = [checksum, UInt32(truncatingIfNeeded: count)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]) + deflated + Data(trailer)
    }

    /// Bytes in uncompressed blocks of gzip.
    static func gzip(stored bytes: Data) -> Data {
        var deflated = Data()
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let piece = bytes.dropFirst(start).prefix(65_535)
            let count = UInt16(piece.count)
            let lengths = [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            deflated += [start + 65_535 >= bytes.count ? 1 : 0] + lengths + piece
        }
        return gzip(deflated, CRC32.checksum(of: [UInt8](bytes)[...]), bytes.count)
    }

    /// Zeros compressed by RFC 1951: one zero, then copies, 258 for each two bits.
    static func deflate(_ count: Int) -> Data {
        var bits = BitWriter()
        bits.number(1, 1)
        bits.number(2, 2)
        // 286 literal and length codes, one distance code, and 18 lengths of the code length codes.
        bits.number(29, 5)
        bits.number(0, 5)
        bits.number(14, 4)
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.number(length, 3) }
        // Two bits for a zero and for the end, one bit for a copy of 258 bytes and for the distance of one.
        bits.word("11")
        for zeros in [138, 117] {
            bits.word("0")
            bits.number(zeros - 11, 7)
        }
        bits.word("11")
        bits.word("0")
        bits.number(28 - 11, 7)
        bits.word("10")
        bits.word("10")
        bits.word("10")
        bits.zeros((count - 1) / 258 * 2)
        for _ in 0..<(count - 1) % 258 { bits.word("10") }
        bits.word("11")
        return bits.data
    }

    /// Writes bits in the order of RFC 1951 section 3.1.1.
    private struct BitWriter {
        private(set) var data = Data()
        private var count = 0

        /// A number, its lowest bit first.
        mutating func number(_ number: Int, _ width: Int) {
            for place in 0..<width { bit(number >> place & 1) }
        }

        /// A code word, its first bit first.
        mutating func word(_ word: String) {
            for digit in word.utf8 { bit(digit == UInt8(ascii: "1") ? 1 : 0) }
        }

        /// Many bits that are zero.
        mutating func zeros(_ wanted: Int) {
            let (first, rest) = (min((8 - count % 8) % 8, wanted), max(0, wanted - (8 - count % 8) % 8))
            for _ in 0..<first { bit(0) }
            data.append(Data(count: rest / 8))
            count += rest / 8 * 8
            for _ in 0..<rest % 8 { bit(0) }
        }

        private mutating func bit(_ bit: Int) {
            if count % 8 == 0 { data.append(0) }
            data[data.count - 1] |= UInt8(bit << (count % 8))
            count += 1
        }
    }
}
