/// One escape and the bytes that it stands for.
struct EscapedUnit {
    /// How many bytes the escape has.
    let count: Int
    private let content: Content

    /// What an escape stands for.
    private enum Content {
        case byte(UInt8)
        case scalar(Unicode.Scalar)
    }

    /// How many bytes it stands for.
    var decodedCount: Int {
        switch content {
        case .byte: 1
        case .scalar(let scalar): UTF8.width(scalar)
        }
    }

    /// Adds what it stands for to some bytes.
    func append(to bytes: inout [UInt8]) {
        switch content {
        case .byte(let byte): bytes.append(byte)
        case .scalar(let scalar): if let units = UTF8.encode(scalar) { bytes += units }
        }
    }

    /// Reads the escape that begins at an index.
    init?(in bytes: UnsafeRawBufferPointer, at index: Int, layer: EscapeLayer) {
        let unit: EscapedUnit? =
            switch (layer, bytes[index]) {
            case (.form, UInt8(ascii: "+")): EscapedUnit(count: 1, byte: UInt8(ascii: " "))
            case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")): Self.triplet(in: bytes, at: index)
            case (.json, UInt8(ascii: "\\")): Self.json(in: bytes, at: index)
            case (.html, UInt8(ascii: "&")): Self.reference(in: bytes, at: index)
            default: nil
            }
        guard let unit else { return nil }
        self = unit
    }

    private init(count: Int, byte: UInt8) {
        (self.count, content) = (count, .byte(byte))
    }

    private init?(count: Int, scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else { return nil }
        (self.count, content) = (count, .scalar(scalar))
    }

    private static func triplet(in bytes: UnsafeRawBufferPointer, at index: Int) -> EscapedUnit? {
        number(in: bytes, at: index + 1, digits: 2).map {
            EscapedUnit(count: 3, byte: UInt8(truncatingIfNeeded: $0))
        }
    }

    private static func json(in bytes: UnsafeRawBufferPointer, at index: Int) -> EscapedUnit? {
        guard index + 1 < bytes.count else { return nil }
        if let byte = JSONEscapes.byte(forLetter: bytes[index + 1]) { return EscapedUnit(count: 2, byte: byte) }
        guard let unit = codeUnit(in: bytes, at: index) else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return EscapedUnit(count: 6, scalar: UInt32(unit)) }
        guard let trail = codeUnit(in: bytes, at: index + 6), UTF16.isTrailSurrogate(trail) else { return nil }
        return EscapedUnit(
            count: 12,
            scalar: 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
        )
    }

    private static func codeUnit(in bytes: UnsafeRawBufferPointer, at index: Int) -> UInt16? {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return number(in: bytes, at: index + 2, digits: 4).map { UInt16(truncatingIfNeeded: $0) }
    }

    private static func number(in bytes: UnsafeRawBufferPointer, at index: Int, digits: Int) -> UInt32? {
        guard index + digits <= bytes.count else { return nil }
        var number: UInt32 = 0
        for digit in bytes[index..<index + digits] {
            guard let value = Hexadecimal.value(of: digit) else { return nil }
            number = number << 4 | UInt32(value)
        }
        return number
    }

    private static func reference(in bytes: UnsafeRawBufferPointer, at index: Int) -> EscapedUnit? {
        // The longest reference is `&#x0010FFFF;`.
        let window = bytes[index...].prefix(12)
        guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        let count = end + 1 - index
        if let scalar = named[name] { return EscapedUnit(count: count, scalar: scalar.value) }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.dropFirst().lowercased().hasPrefix("x")
        let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        return number.flatMap { EscapedUnit(count: count, scalar: $0) }
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
}
