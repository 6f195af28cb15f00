import Foundation

/// An encoding that Foundation converts, by its number in CoreFoundation's `CFStringEncodings`. On Linux Foundation uses
/// its own copy of ICU, so the tables do not depend on the machine.
struct PlatformEncoding: Hashable {
    let number: UInt32

    /// Windows-932, with which other Japanese encodings are written.
    static let shiftJIS = PlatformEncoding(number: 0x0420)

    private var encoding: String.Encoding { String.Encoding(rawValue: UInt(0x8000_0000 | number)) }

    /// Whether the platform has a converter.
    var isAvailable: Bool { data("A") != nil }

    /// The bytes of a text; `nil` if a character has none that represent it alone, or the platform has no converter.
    func data(_ text: String) -> Data? {
        guard let data = bytes(of: text), let back = self.text(data), back.utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return data
    }

    func text(_ data: Data) -> String? { String(data: data, encoding: encoding) }

    // `String.data(using:)` ends the process on Linux if the platform has no converter.
    private func bytes(of text: String) -> Data? {
        let text = NSString(string: text)
        let range = NSRange(location: 0, length: text.length)
        var rest = NSRange(location: 0, length: 0)
        var count = 0
        // No character takes more than four bytes.
        var data = Data(count: 4 * range.length + 16)
        let isConverted = data.withUnsafeMutableBytes { bytes in
            text.getBytes(
                bytes.baseAddress,
                maxLength: bytes.count,
                usedLength: &count,
                encoding: encoding.rawValue,
                options: [],
                range: range,
                remaining: &rest
            )
        }
        guard isConverted, rest.length == 0, 0...data.count ~= count else { return nil }
        return data.prefix(count)
    }
}
