import Foundation

/// The text of a body in an archive, and what tells how it represents the bytes.
struct HARStoredBody {
    /// How the message is called in a reason, such as `the request body`.
    let title: String
    let text: JSONToken
    let encoding: String?
    /// Whether the media type is one of bytes that are not text.
    let isBinaryType: Bool
    /// Whether the text is hexadecimal, by a mark of Polly.js.
    var isHexadecimal: Bool
    let isOfPolly: Bool
    let headers: HeaderList

    enum Content {
        /// A text in UTF-8.
        case text(Data)
        case bytes(Data)
        /// The bytes as the server sent them, with their content codings.
        case sent(Data)
    }

    /// - Throws: ``BodyAbsence`` if the bytes are not known.
    func content() throws(BodyAbsence) -> Content {
        if text.content.isEmpty { return .text(Data()) }
        switch encoding?.lowercased() {
        case nil where isHexadecimal, "" where isHexadecimal: return try content(in: "hex", Hexadecimal.data)
        case nil, "", "utf-8", "utf8", "text", "plain":
            return isOfPolly ? unmarkedContent() ?? .text(text.data) : .text(text.data)
        case "base64": return try content(in: "base64", WrappedBase64.data)
        case "hex": return try content(in: "hex", Hexadecimal.data)
        case let name?: throw BodyAbsence(reason: "\(title) has the unknown encoding '\(name.prefix(40))'")
        }
    }

    /// Decodes a text, or the chunks of an encoded body, which Polly.js stores as an array in the text.
    private func content(in name: String, _ decode: (String) -> Data?) throws(BodyAbsence) -> Content {
        let data: Data?
        if text.content.first == JSONByte.openBracket {
            data = Self.chunks(text.data, decode)
            if let data { return .sent(data) }
        } else if name == "base64", !text.hasEscapes, let plain = Data(base64Encoded: text.data) {
            return .bytes(plain)
        } else {
            data = decode(text.string)
        }
        guard let data else { throw BodyAbsence(reason: "\(title) is not valid \(name)") }
        return .bytes(data)
    }

    private static func chunks(_ text: Data, _ decode: (String) -> Data?) -> Data? {
        guard let elements = (try? JSON(parsing: text))?.arrayValue else { return nil }
        let chunks = elements.compactMap { $0.stringValue.flatMap(decode) }
        return chunks.count == elements.count ? Data(chunks.joined()) : nil
    }

    /// Polly.js 2.0 to 4.2.0 wrote hexadecimal text without a mark. A text that may be the body itself stays text.
    private func unmarkedContent() -> Content? {
        if headers["Content-Encoding"] != nil, text.content.first == JSONByte.openBracket {
            guard let sent = Self.chunks(text.data, Hexadecimal.data) else { return nil }
            let isBrotli = headers["Content-Encoding"]?.lowercased() == "br" && String(wellFormed: sent) == nil
            return isBrotli || Self.looksEncoded(sent, headers) ? .sent(sent) : nil
        }
        guard let length = headers["Content-Length"].flatMap({ Int($0) }), length > 0,
            text.content.count == 2 * length, let data = Hexadecimal.data(text.string)
        else { return nil }
        return .bytes(data)
    }
}

extension HARStoredBody {
    /// Whether bytes begin like the outermost of the content codings that the header names. HAR 1.2 demands decoded bodies,
    /// but some recorders store them as they were sent.
    static func looksEncoded(_ data: Data, _ headers: HeaderList) -> Bool {
        let codings = headers.values(for: "Content-Encoding").joined(separator: ",").lowercased()
        return signatures.contains { coding, signature in
            codings.contains(coding) && data.starts(with: signature)
        } || codings.contains("deflate") && looksDeflated(data)
    }

    /// Whether a body that is not encoded could be taken for one that is, so that an archive must say what it is.
    static func isAmbiguous(_ data: Data, _ headers: HeaderList) -> Bool {
        guard let coding = headers["Content-Encoding"]?.lowercased() else { return false }
        return looksEncoded(data, headers) || coding.contains("br") && HARBody.text(data) == nil
    }

    private static let signatures: [(String, [UInt8])] = [
        ("gzip", [0x1F, 0x8B, 8]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
    ]

    /// Whether a body begins like zlib, with the window that all tools use, or is all zlib or DEFLATE. Text may begin like
    /// zlib by chance, and a JSON object begins like DEFLATE.
    private static func looksDeflated(_ data: Data) -> Bool {
        let isText = HARBody.text(data) != nil
        let isZlib = CompressedContent.isZlib(data)
        if isZlib, data.first == 0x78, data.count > 6 || !isText { return true }
        let limit = CassetteLimits.default.maximumInflatedBody
        return !isText && CompressedContent.isWhole(data, as: isZlib ? .zlib : .deflate, atMost: limit)
    }

    /// Whether a header value ends with a content coding whose bytes have no signature.
    static func isUnmarkedCoding(_ value: UnsafeRawBufferPointer) -> Bool {
        // The last letter rules out most values.
        switch value.last.map({ $0 | 0x20 }) {
        case UInt8(ascii: "r"): value.suffix(2).elementsEqual("br".utf8) { $0 | 0x20 == $1 }
        case UInt8(ascii: "e"): value.suffix(7).elementsEqual("deflate".utf8) { $0 | 0x20 == $1 }
        default: false
        }
    }

    /// Whether base64 may represent compressed bytes, judged by its beginning.
    static func mayBeCompressed(base64 text: UnsafeRawBufferPointer) -> Bool {
        text.starts(with: "H4sI".utf8) || text.starts(with: "KLUv".utf8)
            || text.count > 1 && text[0] == UInt8(ascii: "e") && "AFJN".utf8.contains(text[1])
    }

    /// Whether a media type is one of bytes that are not text.
    static func isBinary(mediaType: JSONToken) -> Bool {
        // Most types begin with `text`, or are JSON or forms.
        let start = mediaType.content
        guard let first = start.first, first | 0x20 != UInt8(ascii: "t"),
            !start.starts(with: "application/j".utf8), !start.starts(with: "application/x-www".utf8)
        else { return false }
        let type = mediaType.string.lowercased()
        guard let slash = type.firstIndex(of: "/"), !type.contains("xml") else { return false }
        return ["image", "audio", "video", "font"].contains(type[..<slash])
            || binaryTypes.contains(String(type.prefix { $0 != ";" }))
    }

    private static let binaryTypes: Set = [
        "application/pdf", "application/zip", "application/gzip",
        "application/x-gzip", "application/wasm", "application/x-tar", "application/protobuf",
        "application/x-protobuf", "application/grpc",
    ]

    /// Whether a text has characters that recorders write in place of bytes: U+FFFD, or a control character above U+007F.
    static func standsForBytes(_ utf8: Data) -> Bool {
        let (marks, controls) = ([UInt8]([0xEF, 0xBF, 0xBD]), UInt8(0x80)...0x9F)
        return utf8.withUnsafeBytes { bytes in
            bytes.indices.contains { place in
                switch bytes[place] {
                case 0xC2: place + 1 < bytes.count && controls.contains(bytes[place + 1])
                case 0xEF: bytes[place...].starts(with: marks)
                default: false
                }
            }
        }
    }
}
