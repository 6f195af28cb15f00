import Foundation

/// EUC-JP and ISO-2022-JP. Both number characters as Shift_JIS does, in another way. Foundation on Linux has no converter
/// for EUC-JP, and the one for ISO-2022-JP ends the process for some texts.
enum JapaneseEncoding: Hashable {
    case eucJP, iso2022JP

    /// The bytes of a text in Shift_JIS, in this encoding; `nil` for characters that it does not have.
    func data(shiftJIS: Data) -> Data? {
        var data = Data()
        var isDouble = false
        var rest = shiftJIS[...]
        func shift(_ toDouble: Bool) {
            guard self == .iso2022JP, toDouble != isDouble else { return }
            data += toDouble ? Self.toDouble : Self.toASCII
            isDouble = toDouble
        }
        while let lead = rest.popFirst() {
            switch lead {
            case 0..<0x80:
                // A line must end in ASCII, and so does every other character outside of a row (RFC 1468).
                shift(false)
                data.append(lead)
            case 0xA1...0xDF:
                // Katakana of half the width.
                guard self == .eucJP else { return nil }
                data += [0x8E, lead]
            default:
                guard let trail = rest.popFirst(), let place = Self.place(lead, trail) else { return nil }
                shift(true)
                let offset: UInt8 = self == .eucJP ? 0xA0 : 0x20
                data += [place.row + offset, place.cell + offset]
            }
        }
        shift(false)
        return data
    }

    /// Bytes in this encoding as Shift_JIS; `nil` if they are invalid, or have characters of JIS X 0212.
    func shiftJIS(_ data: Data) -> Data? {
        self == .eucJP ? Self.shiftJIS(euc: data) : Self.shiftJIS(iso: data)
    }

    private static func shiftJIS(euc data: Data) -> Data? {
        var result = Data()
        var rest = data[...]
        while let lead = rest.popFirst() {
            if lead < 0x80 {
                result.append(lead)
                continue
            }
            guard let trail = rest.popFirst() else { return nil }
            switch lead {
            case 0x8E where 0xA1...0xDF ~= trail: result.append(trail)
            case 0xA1...0xFE where 0xA1...0xFE ~= trail: result += bytes(row: lead - 0xA0, cell: trail - 0xA0)
            default: return nil
            }
        }
        return result
    }

    private static func shiftJIS(iso data: Data) -> Data? {
        var result = Data()
        var rest = data[...]
        var isDouble = false
        while let lead = rest.first {
            if lead == 0x1B {
                let escape = rest.prefix(3)
                guard let next = escapes.first(where: { escape.elementsEqual($0.bytes) }) else { return nil }
                isDouble = next.isDouble
                rest = rest.dropFirst(3)
                continue
            }
            rest = rest.dropFirst()
            guard isDouble, lead > 0x20 else {
                guard lead < 0x80 else { return nil }
                result.append(lead)
                continue
            }
            guard lead < 0x7F, let trail = rest.popFirst(), 0x21...0x7E ~= trail else { return nil }
            result += bytes(row: lead - 0x20, cell: trail - 0x20)
        }
        return result
    }

    private static let toASCII: [UInt8] = [0x1B, 0x28, 0x42]
    private static let toDouble: [UInt8] = [0x1B, 0x24, 0x42]
    private static let escapes: [(bytes: [UInt8], isDouble: Bool)] = [
        (toASCII, false), ([0x1B, 0x28, 0x4A], false), (toDouble, true), ([0x1B, 0x24, 0x40], true),
    ]

    /// The row and the cell of a character in JIS X 0208, from 1 to 94; `nil` beyond the last row.
    private static func place(_ lead: UInt8, _ trail: UInt8) -> (row: UInt8, cell: UInt8)? {
        guard 0x81...0x9F ~= lead || 0xE0...0xEF ~= lead, 0x40...0xFC ~= trail, trail != 0x7F else {
            return nil
        }
        let first = (lead < 0xA0 ? lead - 0x81 : lead - 0xC1) * 2 + 1
        if trail >= 0x9F { return (first + 1, trail - 0x9E) }
        return (first, trail - (trail > 0x7F ? 0x40 : 0x3F))
    }

    private static func bytes(row: UInt8, cell: UInt8) -> [UInt8] {
        let lead = (row - 1) / 2
        let trail = row % 2 == 0 ? cell + 0x9E : cell + (cell > 0x3F ? 0x40 : 0x3F)
        return [lead + (lead < 0x1F ? 0x81 : 0xC1), trail]
    }
}
