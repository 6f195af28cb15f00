/// The bytes of a YAML text and the place that reading has come to.
struct YAMLText {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var line = 1
    private var lineStart = 0

    /// Takes a text, without a byte order mark.
    /// - Throws: ``CassetteProblem`` where the bytes are not UTF-8.
    init(_ bytes: [UInt8]) throws {
        let start = bytes.starts(with: JSONLocation.byteOrderMark) ? JSONLocation.byteOrderMark.count : 0
        self.bytes = bytes
        (position, lineStart) = (start, start)
        try bytes.withUnsafeBytes { text in
            guard let offset = WellFormedUTF8.firstIllFormedByte(in: text, from: start, to: text.count) else {
                return
            }
            let place = JSONLocation(of: offset, in: text)
            throw CassetteProblem.syntax(line: place.line, column: place.column, cause: "text is not UTF-8")
        }
    }

    /// The next byte; `nil` at the end.
    var next: UInt8? { byte(after: 0) }

    /// The number of bytes before the place on its line.
    var column: Int { position - lineStart }

    /// A byte some way after the next one.
    func byte(after distance: Int) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// Whether the line, or the text, ends some way after the place.
    func endsLine(after distance: Int = 0) -> Bool {
        switch byte(after: distance) {
        case nil, JSONByte.lineFeed: true
        case JSONByte.carriageReturn: byte(after: distance + 1) == JSONByte.lineFeed
        default: false
        }
    }

    /// Whether white space or the end of the line stands some way after the place.
    func isBlank(after distance: Int = 0) -> Bool {
        [JSONByte.space, JSONByte.tab].contains(byte(after: distance)) || endsLine(after: distance)
    }

    /// Whether a list's next element begins here.
    var isAtDash: Bool { next == UInt8(ascii: "-") && isBlank(after: 1) }

    /// Whether a document begins or ends here.
    var isAtMarker: Bool {
        guard column == 0, let mark = next, mark == UInt8(ascii: "-") || mark == UInt8(ascii: ".") else {
            return false
        }
        return byte(after: 1) == mark && byte(after: 2) == mark && isBlank(after: 3)
    }

    mutating func skip(_ count: Int = 1) { position = min(position + count, bytes.count) }

    /// Takes the bytes up to a place some way ahead.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let start = position
        skip(count)
        return bytes[start..<position]
    }

    /// Skips the end of a line, if there is one here.
    @discardableResult mutating func skipBreak() -> Bool {
        guard endsLine(), let byte = next else { return false }
        skip(byte == JSONByte.carriageReturn ? 2 : 1)
        line += 1
        lineStart = position
        return true
    }

    /// Skips spaces, and tabs where they do not indent.
    mutating func skipSpaces() {
        while next == JSONByte.space || next == JSONByte.tab && column > 0 { skip() }
    }

    /// Skips a comment, which reaches to the end of the line.
    mutating func skipComment() {
        guard next == UInt8(ascii: "#"), column == 0 || isSpace(before: position) else { return }
        while !endsLine() { skip() }
    }

    private func isSpace(before index: Int) -> Bool {
        index > 0 && [JSONByte.space, JSONByte.tab].contains(bytes[index - 1])
    }

    /// Goes to the next line that has more than a comment; `false` where the document ends before one.
    mutating func skipToContent() -> Bool {
        repeat {
            skipSpaces()
            skipComment()
        } while skipBreak()
        return next != nil && !isAtMarker
    }

    func error(_ cause: String) -> CassetteProblem {
        .syntax(line: line, column: column + 1, cause: cause)
    }
}
