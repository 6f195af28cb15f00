/// The text of a YAML document, with a position in it.
struct YAMLText {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var line = 1
    private var lineStart = 0

    /// - Throws: ``CassetteError/Problem`` if the bytes are not UTF-8.
    init(_ bytes: [UInt8]) throws {
        let start = bytes.starts(with: JSONLocation.byteOrderMark) ? JSONLocation.byteOrderMark.count : 0
        self.bytes = bytes
        (position, lineStart) = (start, start)
        try bytes.withUnsafeBytes { text in
            guard let offset = WellFormedUTF8.firstIllFormedByte(in: text, from: start, to: text.count) else {
                return
            }
            let place = JSONLocation(of: offset, in: text)
            throw CassetteError.Problem.syntax(
                line: place.line,
                column: place.column,
                cause: "the text is not valid UTF-8"
            )
        }
    }

    var next: UInt8? { byte(after: 0) }

    /// The number of bytes before the position on its line.
    var column: Int { position - lineStart }

    func byte(after distance: Int) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// The length of the line break some way ahead: 0 at the end of the text, `nil` if there is none. YAML 1.1 also ends
    /// a line at U+0085, U+2028 and U+2029, which PyYAML and libyaml write into blocks as they are.
    private func lengthOfBreak(after distance: Int) -> Int? {
        switch byte(after: distance) {
        case nil: 0
        case JSONByte.lineFeed: 1
        case JSONByte.carriageReturn: byte(after: distance + 1) == JSONByte.lineFeed ? 2 : 1
        case 0xC2: byte(after: distance + 1) == 0x85 ? 2 : nil
        case 0xE2:
            byte(after: distance + 1) == 0x80 && [0xA8, 0xA9].contains(byte(after: distance + 2)) ? 3 : nil
        default: nil
        }
    }

    func endsLine(after distance: Int = 0) -> Bool { lengthOfBreak(after: distance) != nil }

    var isAtSpace: Bool { next == JSONByte.space || next == JSONByte.tab }

    func isBlank(after distance: Int = 0) -> Bool {
        let byte = byte(after: distance)
        return byte == JSONByte.space || byte == JSONByte.tab || endsLine(after: distance)
    }

    /// Whether a character that introduces an element, a key or a value stands here alone.
    func isAt(_ indicator: Unicode.Scalar) -> Bool { next == UInt8(ascii: indicator) && isBlank(after: 1) }

    /// Whether a document begins or ends here.
    var isAtMarker: Bool {
        guard column == 0, let mark = next, mark == UInt8(ascii: "-") || mark == UInt8(ascii: ".") else {
            return false
        }
        return byte(after: 1) == mark && byte(after: 2) == mark && isBlank(after: 3)
    }

    mutating func skip(_ count: Int = 1) { position = min(position + count, bytes.count) }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let start = position
        skip(count)
        return bytes[start..<position]
    }

    /// Takes the characters up to white space or one of some others, or through a last one.
    mutating func takeWord(before ends: Set<UInt8> = [], through last: UInt8? = nil) -> String {
        var length = 0
        while !isBlank(after: length), let byte = byte(after: length), !ends.contains(byte) {
            length += 1
            if byte == last { break }
        }
        return String(decoding: take(length), as: UTF8.self)
    }

    /// Skips a line break and returns what it means: a line feed, or the separator itself. Empty if there is none.
    mutating func takeBreak() -> ArraySlice<UInt8> {
        guard let length = lengthOfBreak(after: 0), length > 0 else { return [] }
        let text = take(length)
        line += 1
        lineStart = position
        return length == 3 ? text : [JSONByte.lineFeed]
    }

    @discardableResult mutating func skipBreak() -> Bool { !takeBreak().isEmpty }

    /// Skips spaces, and tabs unless they indent.
    mutating func skipSpaces() { while next == JSONByte.space || next == JSONByte.tab && column > 0 { skip() } }

    mutating func skipComment() {
        guard next == UInt8(ascii: "#"), column == 0 || isSpace(before: position) else { return }
        while !endsLine() { skip() }
    }

    private func isSpace(before index: Int) -> Bool {
        index > 0 && [JSONByte.space, JSONByte.tab].contains(bytes[index - 1])
    }

    /// Moves to the next content, skipping comments; `false` if the document ends before it.
    mutating func skipToContent() -> Bool {
        repeat {
            skipSpaces()
            skipComment()
        } while skipBreak()
        return next != nil && !isAtMarker
    }

    func error(_ cause: String) -> CassetteError.Problem {
        .syntax(line: line, column: column + 1, cause: cause)
    }
}
