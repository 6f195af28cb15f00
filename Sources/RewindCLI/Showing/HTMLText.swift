/// Text from a cassette as it may stand in a page, in elements and between the quotes of attributes.
enum HTMLText {
    /// A text of several lines.
    static func lines(_ text: some StringProtocol) -> String {
        escaped(VisibleText.lines(String(text)))
    }

    /// A text that stands in one line.
    static func line(_ text: some StringProtocol) -> String {
        escaped(VisibleText.line(String(text)))
    }

    /// An element with a class around text of one line.
    static func span(_ name: String, _ text: some StringProtocol) -> String {
        "<span class=\"\(name)\">\(line(text))</span>"
    }

    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + text.utf8.count / 8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): result += "&amp;".utf8
            case UInt8(ascii: "<"): result += "&lt;".utf8
            case UInt8(ascii: ">"): result += "&gt;".utf8
            case UInt8(ascii: "\""): result += "&quot;".utf8
            case UInt8(ascii: "'"): result += "&#39;".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
