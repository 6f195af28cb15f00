import Foundation

/// A charset in which a body is written, with or without a byte order mark.
struct MessageCharset: Hashable {
    let name: String
    let hasMark: Bool

    /// Reads a name such as `utf-16le+bom`.
    init(_ text: String) {
        let parts = text.lowercased().components(separatedBy: "+bom")
        let name = parts[0]
        self.name = ["latin1": "iso-8859-1", "": "utf-8", "us-ascii": "utf-8"][name] ?? name
        // Without an order in its name, UTF-16 and UTF-32 need the mark.
        hasMark = parts.count > 1 || ["utf-16", "utf-32"].contains(name)
    }

    static let utf8 = MessageCharset("utf-8")

    func encoded(_ text: String) -> Data? {
        let marked = hasMark ? "\u{FEFF}" + text : text
        switch name {
        case "utf-8": return Data(marked.utf8)
        case "iso-8859-1":
            let scalars = text.unicodeScalars
            return scalars.allSatisfy { $0.value < 256 }
                ? Data(scalars.map { UInt8(truncatingIfNeeded: $0.value) }) : nil
        case "utf-16", "utf-16le": return Data(marked.utf16.flatMap { $0.bytes })
        case "utf-16be": return Data(marked.utf16.flatMap { $0.bytes.reversed() })
        case "utf-32", "utf-32le": return Data(marked.unicodeScalars.flatMap { $0.value.bytes })
        case "utf-32be": return Data(marked.unicodeScalars.flatMap { $0.value.bytes.reversed() })
        default: return foundation.flatMap { text.data(using: $0) }
        }
    }

    /// The text of the bytes; the bytes as latin1 if they are not valid in the charset.
    func decoded(_ data: Data) -> String {
        let bytes = [UInt8](data)
        let text: String? =
            switch name {
            case "utf-8": String(validating: bytes, as: UTF8.self)
            case "iso-8859-1": nil
            case "utf-16", "utf-16le": String(validating: bytes.units(of: UInt16.self), as: UTF16.self)
            case "utf-16be":
                String(validating: bytes.units(of: UInt16.self).map(\.byteSwapped), as: UTF16.self)
            case "utf-32", "utf-32le": String(validating: bytes.units(of: UInt32.self), as: UTF32.self)
            case "utf-32be":
                String(validating: bytes.units(of: UInt32.self).map(\.byteSwapped), as: UTF32.self)
            default: foundation.flatMap { String(data: data, encoding: $0) }
            }
        return text ?? Self.latin1(data)
    }

    static func latin1(_ data: Data) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: data.map { UnicodeScalar($0) })
        return String(view)
    }

    private var foundation: String.Encoding? {
        switch name {
        case "windows-1252": .windowsCP1252
        case "shift_jis": .shiftJIS
        case "euc-jp": .japaneseEUC
        default: nil
        }
    }
}

extension FixedWidthInteger {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension [UInt8] {
    fileprivate func units<Unit: FixedWidthInteger>(of type: Unit.Type) -> [Unit] {
        let size = MemoryLayout<Unit>.size
        return stride(from: 0, to: count - count % size, by: size).map { start in
            (0..<size).reduce(0) { $0 | Unit(self[start + $1]) << Unit($1 * 8) }
        }
    }
}
