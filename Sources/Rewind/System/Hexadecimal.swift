/// Numbers in the digits 0 to 9 and a to f.
enum Hexadecimal {
    /// The value of a digit of either case.
    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Whether a byte is a digit of either case.
    static func isDigitOfEitherCase(_ byte: UInt8) -> Bool {
        value(of: byte) != nil
    }

    /// Whether a byte is a digit as they are written here.
    static func isDigit(_ byte: UInt8) -> Bool {
        lowercaseDigits.contains(byte)
    }

    /// The digits by their values, in lower case.
    static let lowercaseDigits = Array("0123456789abcdef".utf8)
    /// The digits by their values, in upper case.
    static let uppercaseDigits = Array("0123456789ABCDEF".utf8)

    /// A number, with zeros before it up to a number of digits.
    static func text(_ number: some BinaryInteger, digits: Int, uppercase: Bool = false) -> String {
        let text = String(number, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
