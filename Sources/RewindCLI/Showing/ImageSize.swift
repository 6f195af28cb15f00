import Foundation

/// An image format that browsers show, recognized by the first bytes.
enum ImageFormat: String, Sendable {
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case webp = "WebP"

    init?(_ data: Data) {
        let start = Array(data.prefix(12))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    var mediaType: String { "image/" + rawValue.lowercased() }
}

/// The width and height of an image in pixels, read from its header only.
struct ImageSize: Hashable, Sendable {
    let width: Int
    let height: Int

    /// Reads the size of an image; `nil` if its header is incomplete or of another kind.
    init?(_ data: Data, _ format: ImageFormat) {
        let size = data.withUnsafeBytes { Self.size(ByteReader(bytes: $0), format) }
        guard let width = size.0, let height = size.1 else { return nil }
        (self.width, self.height) = (width, height)
    }

    private static func size(_ reader: ByteReader, _ format: ImageFormat) -> (Int?, Int?) {
        switch format {
        // The first chunk is the header (PNG, third edition, section 11.2.1).
        case .png where reader.has("IHDR", at: 12): return (reader.big(4, at: 16), reader.big(4, at: 20))
        // The logical screen follows the signature (GIF 89a, section 18).
        case .gif: return (reader.little(2, at: 6), reader.little(2, at: 8))
        case .jpeg: return jpeg(reader)
        // The first chunk is one of three kinds (RFC 9649 section 2).
        case .webp where reader.has("VP8X", at: 12):
            return (reader.little(3, at: 24).map { $0 + 1 }, reader.little(3, at: 27).map { $0 + 1 })
        case .webp where reader.has("VP8L", at: 12):
            let bits = reader.little(4, at: 21)
            return (bits.map { $0 & 0x3FFF + 1 }, bits.map { $0 >> 14 & 0x3FFF + 1 })
        case .webp where reader.has("VP8 ", at: 12):
            return (reader.little(2, at: 26).map { $0 & 0x3FFF }, reader.little(2, at: 28).map { $0 & 0x3FFF })
        case .png, .webp: return (nil, nil)
        }
    }

    /// The frame header is one of the segments before the scan (ITU-T T.81, section B.2).
    private static func jpeg(_ reader: ByteReader) -> (Int?, Int?) {
        var place = 2
        while let mark = reader.big(2, at: place), mark >> 8 == 0xFF {
            switch mark & 0xFF {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD8: place += 2
            case 0xD9, 0xDA: return (nil, nil)
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(mark & 0xFF):
                return (reader.big(2, at: place + 7), reader.big(2, at: place + 5))
            default:
                guard let length = reader.big(2, at: place + 2), length >= 2 else { return (nil, nil) }
                place += 2 + length
            }
        }
        return (nil, nil)
    }
}

/// Reads numbers and names at offsets; the result is `nil` or `false` beyond the end.
private struct ByteReader {
    let bytes: UnsafeRawBufferPointer

    func big(_ count: Int, at place: Int) -> Int? {
        guard place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(_ count: Int, at place: Int) -> Int? {
        guard place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ name: String, at place: Int) -> Bool {
        place <= bytes.count - name.utf8.count && bytes[place...].starts(with: name.utf8)
    }
}
