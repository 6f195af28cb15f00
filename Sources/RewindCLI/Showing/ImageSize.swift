import Foundation

/// The width and height of an image in pixels, read from its head alone.
struct ImageSize: Hashable, Sendable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads the size of an image; `nil` where its head is cut off or is of another kind.
    init?(_ data: Data, _ format: ImageFormat) {
        let size = data.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes: bytes)
            return switch format {
            case .png: Self.png(reader)
            case .gif: Self.gif(reader)
            case .jpeg: Self.jpeg(reader)
            case .webp: Self.webp(reader)
            }
        }
        guard let size else { return nil }
        self = size
    }

    /// The first chunk is the header (PNG, third edition, section 11.2.1).
    private static func png(_ reader: ByteReader) -> ImageSize? {
        guard reader.has("IHDR", at: 12), let width = reader.big(4, at: 16), let height = reader.big(4, at: 20)
        else { return nil }
        return ImageSize(width: width, height: height)
    }

    /// The logical screen follows the signature (GIF 89a, section 18).
    private static func gif(_ reader: ByteReader) -> ImageSize? {
        guard let width = reader.little(2, at: 6), let height = reader.little(2, at: 8) else { return nil }
        return ImageSize(width: width, height: height)
    }

    /// The frame header is one of the segments before the scan (ITU-T T.81, section B.2).
    private static func jpeg(_ reader: ByteReader) -> ImageSize? {
        var place = 2
        while let mark = reader.big(2, at: place), mark >> 8 == 0xFF {
            switch mark & 0xFF {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD8: place += 2
            case 0xD9, 0xDA: return nil
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(mark & 0xFF):
                guard let height = reader.big(2, at: place + 5), let width = reader.big(2, at: place + 7)
                else { return nil }
                return ImageSize(width: width, height: height)
            default:
                guard let length = reader.big(2, at: place + 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    /// The first chunk is one of three kinds (RFC 9649 section 2).
    private static func webp(_ reader: ByteReader) -> ImageSize? {
        if reader.has("VP8X", at: 12), let width = reader.little(3, at: 24),
            let height = reader.little(3, at: 27)
        {
            return ImageSize(width: width + 1, height: height + 1)
        }
        if reader.has("VP8L", at: 12), let bits = reader.little(4, at: 21) {
            return ImageSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        }
        if reader.has("VP8 ", at: 12), let width = reader.little(2, at: 26),
            let height = reader.little(2, at: 28)
        {
            return ImageSize(width: width & 0x3FFF, height: height & 0x3FFF)
        }
        return nil
    }
}

/// Numbers and names at places of some bytes, each `nil` or `false` beyond the end.
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

/// A kind of image, told by its first bytes.
enum ImageFormat: String, Sendable {
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case webp = "WebP"

    /// Tells the kind of some bytes; `nil` where they are no image of a kind that is known.
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
