import Foundation

/// A way of escaping single characters, under which other text may be hidden.
enum EscapeLayer: CaseIterable {
    /// Percent-encoding (RFC 3986 section 2.1).
    case percent
    /// Percent-encoding with a plus sign for a space (application/x-www-form-urlencoded).
    case form
    /// The escapes of JSON strings (RFC 8259 section 7).
    case json
    /// The character references of HTML and XML.
    case html

    /// Finds edits in what the runs of a text decode to, and makes them edits of the text.
    ///
    /// Only what is edited is encoded anew, so that the rest of a run keeps its spelling.
    func edits(
        in bytes: UnsafeRawBufferPointer,
        _ find: (UnsafeRawBufferPointer) -> [ByteEdit]
    ) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        while let place = escape(in: bytes, from: position) {
            let range = run(in: bytes, around: place, after: position)
            position = range.upperBound
            if self == .form, !bytes[range].contains(UInt8(ascii: "+")) { continue }
            let run = EscapedRun(bytes, range, layer: self)
            let found = run.decoded.withUnsafeBytes(find)
            if !found.isEmpty { edits += run.edits(found) }
        }
        return edits
    }

    /// The next place at which an escape stands.
    private func escape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var position = start
        while position < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + position, Int32(introducer), bytes.count - position)
        {
            position = base.distance(to: UnsafeRawPointer(found))
            if EscapedUnit(in: bytes, at: position, layer: self) != nil { return position }
            position += 1
        }
        return nil
    }

    private var introducer: UInt8 {
        switch self {
        case .percent, .form: UInt8(ascii: "%")
        case .json: UInt8(ascii: "\\")
        case .html: UInt8(ascii: "&")
        }
    }

    /// The stretch around an escape that some encoder may have written in one go.
    private func run(in bytes: UnsafeRawBufferPointer, around place: Int, after end: Int) -> Range<Int> {
        var (lower, upper) = (place, place)
        while lower > end, !isOutside(bytes[lower - 1]) { lower -= 1 }
        while upper < bytes.count, !isOutside(bytes[upper]) {
            let isEscape = self == .json && bytes[upper] == UInt8(ascii: "\\") && upper + 1 < bytes.count
            upper += isEscape && bytes[upper + 1] >= 0x20 ? 2 : 1
        }
        return lower..<upper
    }

    /// Whether no encoder leaves a byte as it is.
    private func isOutside(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"): self != .json
        case UInt8(ascii: "\""): self != .html
        case UInt8(ascii: " "): self == .percent || self == .form
        default: byte < 0x20 && self != .html
        }
    }

    /// The text as it must stand in this layer.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        let text = String(decoding: text, as: UTF8.self)
        let spelling: [UInt8]? =
            switch self {
            case .percent, .form: Array(PercentEncoding.encoded(text).utf8)
            case .json: JSONFlavor.spellings(of: text).first
            case .html: HTMLFlavor.spellings(of: text).first
            }
        return spelling ?? []
    }
}
