import Foundation

extension SecretEditor {
    /// Redacts values after a name and a colon or an equals sign: in YAML, TOML, INI and shell text, in arguments of GraphQL
    /// and other code, and in lines of header fields.
    func assignmentEdits(in bytes: UnsafeRawBufferPointer, at place: String, depth: Int) -> [ByteEdit] {
        var search = AssignmentSearch(editor: self, bytes: bytes, place: place, depth: depth)
        search.find()
        return search.found
    }
}

private struct AssignmentSearch {
    let editor: SecretEditor
    let bytes: UnsafeRawBufferPointer
    let place: String
    let depth: Int
    private let names: MemberNames
    private(set) var found: [ByteEdit] = []
    private var position = 0
    /// The last value that names another one, as in `name: DB_PASSWORD`, and where the value must begin.
    private var label: (text: String, end: Int)?

    init(editor: SecretEditor, bytes: UnsafeRawBufferPointer, place: String, depth: Int) {
        (self.editor, self.bytes, self.place, self.depth) = (editor, bytes, place, depth)
        names = MemberNames(editor.rules, host: editor.host)
    }

    mutating func find() {
        let isJSON = bytes.beginLikeJSON
        let isNetrc = bytes.starts(with: "machine ".utf8)
        /// The end of the last two hyphens, which begin the name of an option.
        var option = -1
        /// The end of the text in which a space may begin a value. Nearly all spaces are not worth looking at.
        var spaceEnd = isNetrc ? bytes.count : 0
        var next = 0
        while true {
            let signs = next < spaceEnd ? Self.signsAndSpace : Self.signs
            guard let sign = signs.first(in: bytes, from: max(next, position)) else { return }
            next = sign + 1
            switch bytes[sign] {
            case UInt8(ascii: "-"):
                if sign > 0, bytes[sign - 1] == UInt8(ascii: "-") {
                    option = next
                    spaceEnd = max(spaceEnd, next + 64)
                } else if next < bytes.count, bytes[next] == UInt8(ascii: "u") {
                    spaceEnd = max(spaceEnd, next + 2)
                }
                continue
            case 0x20:
                if sign >= 3, bytes[sign - 3..<sign].elementsEqual(" -u".utf8) { readUser(after: sign) }
                if isNetrc, sign >= 9, bytes[sign - 9..<sign].elementsEqual(" password".utf8) {
                    addSecret(sign + 1..<(end(of: sign + 1, where: { $0 <= 0x20 }) ?? bytes.count))
                }
                guard option >= 0, sign - option < 64, sign > option else { continue }
                option = -1
            default: option = -1
            }
            // Nothing else is before most signs, such as those after the names of JSON.
            guard sign > 0, Self.lastNameBytes.contains(bytes[sign - 1]) else { continue }
            guard let name = nameRange(before: sign) else { continue }
            let text = UnsafeRawBufferPointer(rebasing: bytes[name])
            guard let number = names.number(of: text), let meaning = names[number] else { continue }
            guard let value = valueRange(after: sign, name), !value.range.isEmpty else { continue }
            // Strings of JSON with escapes are read one by one.
            let end = value.range.upperBound
            let backslash = UInt8(ascii: "\\")
            if isJSON, end < bytes.count && bytes[end] == backslash || bytes[value.range].contains(backslash) {
                continue
            }
            read(String(decoding: text, as: UTF8.self), meaning, value)
        }
    }

    private mutating func read(_ name: String, _ meaning: SecretRules.Meaning, _ value: AssignedValue) {
        var (name, meaning) = (name, meaning)
        // A value without quotes after an equals sign contains no other name.
        if value.isPlain { position = value.range.upperBound }
        switch meaning.role {
        case .label where meaning.context == nil || !ValuePattern.looksRandom(bytes[value.range]):
            label = (
                String(decoding: bytes[value.range].prefix(96), as: UTF8.self), value.range.upperBound + 64
            )
            return
        case .value:
            guard let label, value.range.lowerBound <= label.end,
                let named = editor.rules.meaning(ofField: label.text, host: editor.host)
            else { return }
            (name, meaning) = (label.text, named)
            self.label = nil
        case .description: return
        default: break
        }
        let field = SecretField(
            name: name,
            meaning: meaning,
            isMachineText: value.isMachineText || editor.message == .request
        )
        let path = { [place] in "\(place) \(name)" }
        let layer: EscapeLayer? = value.hasEscapes ? .json : nil
        var range = value.range
        // The scheme of a credential stays, as in header fields.
        if let space = bytes[range].firstIndex(of: 0x20), SecretNames.isScheme(bytes[range.lowerBound..<space])
        {
            guard field.isSecret(bytes[range]) || meaning.role == .certain else { return }
            range = space + 1..<range.upperBound
            let secret = SecretField(name: name, meaning: .init(role: .always), isMachineText: true)
            found += editor.edits(of: range, in: bytes, escapedBy: layer, secret, at: path, depth: depth)
        } else {
            found += editor.edits(of: range, in: bytes, escapedBy: layer, field, at: path, depth: depth)
        }
        if found.last?.range.upperBound == range.upperBound { position = range.upperBound }
    }

    /// Redacts the password in `curl -u user:password`.
    private mutating func readUser(after sign: Int) {
        let start = sign + 1
        let end = end(of: start, where: Self.plainEnds.contains) ?? bytes.count
        guard let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")), colon > start else { return }
        addSecret(colon + 1..<end)
    }

    private mutating func addSecret(_ range: Range<Int>) {
        let secret = SecretField(name: "password", meaning: .init(role: .always), isMachineText: true)
        let path = { [place] in "\(place) password" }
        found += editor.edits(of: range, in: bytes, escapedBy: nil, secret, at: path, depth: depth)
    }

    // MARK: Names

    /// The name before a sign. It begins a line, or follows a space, a quote, or punctuation of code.
    private func nameRange(before sign: Int) -> Range<Int>? {
        var end = sign
        let isAssignment = bytes[sign] == UInt8(ascii: "=")
        while end > 0, sign - end < 4, isAssignment, bytes[end - 1] == 0x20 { end -= 1 }
        if isAssignment { end = endOfName(beforeType: end) }
        // `'password': 'x'`; members of JSON are found by their own grammar.
        if end > 0, bytes[end - 1] == UInt8(ascii: "'") { end -= 1 }
        var start = end
        start = Self.nameBytes.start(in: bytes, before: end, atMost: 65)
        guard end - start <= 64 else { return nil }
        guard start < end else { return nil }
        if start == 0 { return start..<end }
        // After an ampersand or a question mark, it is a query item.
        return Self.nameStarts.contains(bytes[start - 1]) ? start..<end : nil
    }

    /// The end of the name before a type, as in `$secret: String! = "abc"`.
    private func endOfName(beforeType end: Int) -> Int {
        var index = end
        while index > 0, end - index < 48, Self.typeBytes.contains(bytes[index - 1]) { index -= 1 }
        guard index < end, index > 1, bytes[index - 1] == 0x20, bytes[index - 2] == UInt8(ascii: ":") else {
            return end
        }
        return index - 2
    }

    private static let typeBytes = ByteSet(ByteSet.letters + "0123456789_!?[]<>")
    private static let signs = ByteSet(":=-")
    private static let signsAndSpace = ByteSet(":=- ")
    /// What may be before a sign: the end of a name, of its quote, or of its type.
    private static let lastNameBytes = ByteSet(ByteSet.letters + "0123456789_-.$' !?[]<>")
    private static let nameBytes = ByteSet(ByteSet.letters + "0123456789_-.$")
    private static let nameStarts = ByteSet(" \t\r\n\"'`{[(,;|")

    // MARK: Values

    private struct AssignedValue {
        let range: Range<Int>
        var hasEscapes = false
        /// Whether it is in the text of a shell, which contains no text for people.
        var isMachineText = false
        /// Whether it follows an equals sign, without quotes.
        var isPlain = false
    }

    private func valueRange(after sign: Int, _ name: Range<Int>) -> AssignedValue? {
        var start = sign + 1
        let isColon = bytes[sign] == UInt8(ascii: ":")
        let hasSpace = start < bytes.count && bytes[start] == 0x20
        while start < bytes.count, bytes[start] == 0x20, start - sign <= 16 { start += 1 }
        guard start < bytes.count else { return nil }
        // The scheme of a URL is no name.
        if isColon, bytes[start] == UInt8(ascii: "/") { return nil }
        if bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
            var value = quotedValue(from: start)
            value?.isMachineText = bytes[sign] == UInt8(ascii: "=") && !hasSpace && beginsLine(name.lowerBound)
            return value
        }
        // In the quotes of a command, as in `-H "X-Key: abc"`.
        if name.lowerBound > 0, Self.quotes.contains(bytes[name.lowerBound - 1]) {
            let quote = bytes[name.lowerBound - 1]
            guard let end = end(of: start, where: { $0 == quote || $0 < 0x20 }) else { return nil }
            return AssignedValue(range: start..<end)
        }
        guard isColon else {
            // `a == b` and `a => b` are code.
            // As in `--token abc`.
            if bytes[sign] == 0x20, bytes[start] == UInt8(ascii: "-") { return nil }
            guard !Self.operators.contains(bytes[start]),
                !hasSpace || bytes[sign] == 0x20 || beginsLine(name.lowerBound)
            else { return nil }
            let end =
                end(of: start, where: Self.plainEnds.contains) ?? min(bytes.count, start + Self.longestValue)
            return AssignedValue(range: start..<end, isPlain: true)
        }
        guard hasSpace else { return nil }
        guard beginsLine(name.lowerBound) else {
            // As in `{Authorization: Bearer abc, Accept: */*}`. Types and words of code do not look generated.
            let end = end(
                of: start,
                atMost: 512,
                where: { $0 < 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
            )
            guard let end, ValuePattern.looksGenerated(bytes[start..<end]) else { return nil }
            return AssignedValue(range: start..<end)
        }
        if bytes[start] == UInt8(ascii: "|") || bytes[start] == UInt8(ascii: ">") {
            return blockValue(from: start, after: name.lowerBound)
        }
        var end = end(of: start, where: { $0 < 0x20 }) ?? bytes.count
        if let comment = bytes[start..<end].firstIndex(of: UInt8(ascii: "#")), comment > start,
            bytes[comment - 1] == 0x20
        {
            end = comment
        }
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
        return AssignedValue(range: start..<end)
    }

    /// The indented lines of a block scalar (YAML 1.2 section 8.1).
    private func blockValue(from start: Int, after name: Int) -> AssignedValue? {
        var lineStart = name
        while lineStart > 0, bytes[lineStart - 1] != 0x0A { lineStart -= 1 }
        guard var position = bytes.firstIndex(ofByte: 0x0A, from: start), position - start <= 4 else {
            return nil
        }
        let first = position + 1
        var end = first
        while position < bytes.count, end - first <= Self.longestValue {
            var text = position + 1
            while text < bytes.count, bytes[text] == 0x20 { text += 1 }
            let next = bytes.firstIndex(ofByte: 0x0A, from: text) ?? bytes.count
            guard text < bytes.count, text == next || text - position - 1 > name - lineStart else { break }
            end = next
            position = next
        }
        var valueStart = first
        while valueStart < end, bytes[valueStart] <= 0x20 { valueStart += 1 }
        while end > valueStart, bytes[end - 1] <= 0x20 { end -= 1 }
        return AssignedValue(range: valueStart..<end)
    }

    private func quotedValue(from start: Int) -> AssignedValue? {
        let quote = bytes[start]
        var index = start + 1
        // A block string of GraphQL or TOML.
        let isBlock = bytes[index...].prefix(2).elementsEqual([quote, quote])
        if isBlock { index += 2 }
        let valueStart = index
        var hasEscapes = false
        while index < bytes.count, index - valueStart <= Self.longestValue {
            if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                hasEscapes = true
                index += 2
                continue
            }
            if bytes[index] == quote,
                !isBlock || bytes[index...].prefix(3).elementsEqual([quote, quote, quote])
            {
                return AssignedValue(range: valueStart..<index, hasEscapes: hasEscapes)
            }
            if !isBlock, bytes[index] == 0x0A { return nil }
            index += 1
        }
        return nil
    }

    private func end(of start: Int, atMost count: Int = longestValue, where isEnd: (UInt8) -> Bool) -> Int? {
        var index = start
        while index < bytes.count, index - start <= count {
            if isEnd(bytes[index]) { return index }
            index += 1
        }
        return nil
    }

    /// Whether only indentation, a list mark, `export` or a comment mark is before a name in its line.
    private func beginsLine(_ start: Int) -> Bool {
        var index = start
        while index > 0, start - index < 64, bytes[index - 1] != 0x0A, bytes[index - 1] != 0x0D { index -= 1 }
        let before = bytes[index..<start]
        return before.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "-") }
            || Self.declarations.contains { before.elementsEqual($0.utf8) }
    }

    private static let declarations = [
        "export ", "set ", "ENV ", "ARG ", "const ", "let ", "var ", "# ", "// ",
    ]
    private static let longestValue = 8_192
    private static let quotes = ByteSet("\"'`")
    private static let operators = ByteSet("=>~")
    private static let plainEnds = ByteSet(
        String((0...0x20 as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) }) + "&#\"'<>\\;,)}]|`"
    )
}
