import Foundation

/// A text, and what decoders make of it: percent-decoded, unescaped, from base64, layer by layer.
///
/// It uses no code of Rewind, so that both cannot have the same gap.
struct DecodedTexts {
    let texts: [String]
    private let bytes: [Data]

    init(_ text: String, layers: Int = 4) {
        var seen: Set<Data> = [Data(text.utf8)]
        var texts = [text]
        var layer = [text]
        for _ in 0..<layers {
            var next: [String] = []
            for text in layer {
                for decoded in Self.decoders.compactMap({ $0(text) }) {
                    guard seen.insert(Data(decoded.utf8)).inserted else { continue }
                    next.append(decoded)
                }
            }
            texts += next
            layer = next
        }
        self.texts = texts
        bytes = texts.map { Data($0.utf8) }
    }

    /// Whether any of the texts contains the bytes of a text.
    func contains(_ text: String) -> Bool {
        let needle = Data(text.utf8)
        return bytes.contains { $0.range(of: needle) != nil }
    }

    private static let decoders: [@Sendable (String) -> String?] = [
        { $0.contains("%") ? percentDecoded($0) : nil },
        { $0.contains("+") ? $0.replacingOccurrences(of: "+", with: " ") : nil },
        { $0.contains("\\") ? unescaped($0) : nil },
        { $0.contains("&") ? withoutEntities($0) : nil },
        { base64Decoded($0) },
        { $0.contains("\n") ? base64Decoded($0.split(whereSeparator: \.isNewline).joined()) : nil },
    ]

    static func percentDecoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func unescaped(_ text: String) -> String {
        var result: [UInt16] = []
        let units = Array(text.utf16)
        let short: [UInt16: String] = [0x6E: "\n", 0x72: "\r", 0x74: "\t", 0x62: "\u{8}", 0x66: "\u{C}"]
        var index = 0
        while index < units.count {
            guard units[index] == 0x5C, index + 1 < units.count else {
                result.append(units[index])
                index += 1
                continue
            }
            let next = units[index + 1]
            if next == 0x75, index + 5 < units.count,
                let unit = UInt16(String(decoding: units[index + 2...index + 5], as: UTF16.self), radix: 16)
            {
                result.append(unit)
                index += 6
            } else {
                result += short[next].map { Array($0.utf16) } ?? [next]
                index += 2
            }
        }
        return String(decoding: result, as: UTF16.self)
    }

    static func withoutEntities(_ text: String) -> String {
        text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&apos;", with: "'").replacingOccurrences(of: "&amp;", with: "&")
    }

    /// The text with each run of base64 replaced by what it encodes; `nil` if no run encodes text.
    static func base64Decoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isChanged = false
        var start = 0
        func flush(before end: Int) {
            defer { start = end + 1 }
            let run = bytes[start..<end]
            guard run.count >= 8 else { return result += run }
            let padding = String(repeating: "=", count: (4 - run.count % 4) % 4)
            let standard = String(decoding: run, as: UTF8.self).replacingOccurrences(of: "-", with: "+")
                .replacingOccurrences(of: "_", with: "/")
            if let data = Data(base64Encoded: standard + padding),
                String(validating: Array(data), as: UTF8.self) != nil
            {
                result += data
                isChanged = true
            } else {
                result += run
            }
        }
        var index = 0
        while index < bytes.count {
            if !isBase64[Int(bytes[index])] {
                flush(before: index)
                result.append(bytes[index])
            }
            index += 1
        }
        flush(before: bytes.count)
        return isChanged ? String(decoding: result, as: UTF8.self) : nil
    }

    /// Whether each byte is in an alphabet of base64.
    private static let isBase64 = (0..<256).map { byte in
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_".utf8.contains(UInt8(byte))
    }
}
