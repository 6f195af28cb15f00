/// Reads the subset of YAML 1.1 that cassettes use: mappings, lists, scalars of every style and the tag `!!binary`.
/// Anchors could make a small file expand without limit, and tags could create objects of any class, so both are rejected.
/// Keys must be text.
struct YAMLParser {
    var text: YAMLText

    static let maximumDepth = 64

    enum Owner { case document, list, key }

    /// Reads a text with one document.
    /// - Throws: ``CassetteError/Problem`` with the line and column.
    static func document(_ bytes: [UInt8]) throws -> YAMLNode {
        var parser = YAMLParser(text: try YAMLText(bytes))
        return try parser.document()
    }

    private mutating func document() throws -> YAMLNode {
        _ = text.skipToContent()
        if text.next == UInt8(ascii: "%") { throw text.error("directives are not supported") }
        if text.isAtMarker { text.skip(3) }
        let node = try value(in: -1, of: .document, depth: 0)
        let hasMore = text.skipToContent()
        if hasMore { throw text.error("expected the end of the document") }
        if text.isAtMarker {
            text.skip(3)
            if text.skipToContent() || text.isAtMarker { throw text.error("only one document is supported") }
        }
        return node
    }

    /// Reads the value after a colon, a dash or the start of a document. The indentation is the column of the map or
    /// list that the value belongs to.
    mutating func value(in indent: Int, of owner: Owner, depth: Int) throws -> YAMLNode {
        guard depth <= Self.maximumDepth else {
            throw text.error("nested deeper than \(Self.maximumDepth) levels")
        }
        text.skipSpaces()
        let line = text.line
        let tag = try tag()
        text.skipSpaces()
        text.skipComment()
        guard text.endsLine() else {
            if owner == .key || tag != nil, text.isAtDash {
                throw text.error("a list must begin on the line after its key")
            }
            return owner == .key ? try inline(in: indent, tag, depth) : try block(in: indent, tag, depth)
        }
        // A list may be in the column of its key.
        guard text.skipToContent(),
            text.column > indent || owner == .key && text.column == indent && text.isAtDash
        else { return YAMLNode(content: .scalar("", tag ?? .plain), line: line) }
        if text.next == UInt8(ascii: "!") {
            guard tag == nil else { throw text.error("a value can have only one tag") }
            return try value(in: indent, of: .key, depth: depth + 1)
        }
        return try block(in: indent, tag, depth)
    }

    /// Reads a value that may be a map or a list in the column where it begins.
    private mutating func block(in indent: Int, _ tag: YAMLNode.Style?, _ depth: Int) throws -> YAMLNode {
        let (column, line) = (text.column, text.line)
        if text.next == JSONByte.tab { throw text.error("a tab cannot be used for indentation") }
        if text.isAtDash {
            guard tag != .binary else { throw text.error("`!!binary` is only valid for text") }
            return YAMLNode(content: .sequence(try sequence(at: column, depth)), line: line)
        }
        let start = text
        if let key = try key() {
            guard tag != .binary else { throw start.error("`!!binary` is only valid for text") }
            return YAMLNode(content: .mapping(try mapping(at: column, from: key, depth)), line: line)
        }
        text = start
        return try inline(in: indent, tag, depth)
    }

    private mutating func sequence(at column: Int, _ depth: Int) throws -> [YAMLNode] {
        var elements: [YAMLNode] = []
        var hasMore = true
        while hasMore, text.column == column, text.isAtDash {
            text.skip()
            elements.append(try value(in: column, of: .list, depth: depth + 1))
            hasMore = text.skipToContent()
        }
        try checkIndentation(column, hasMore)
        return elements
    }

    private mutating func mapping(at column: Int, from first: String, _ depth: Int) throws -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        var key = first
        while true {
            pairs.append(.init(key: key, value: try value(in: column, of: .key, depth: depth + 1)))
            let hasMore = text.skipToContent()
            try checkIndentation(column, hasMore)
            guard hasMore, text.column == column else { return pairs }
            let start = text
            guard let next = try self.key() else { throw start.error("expected a key and a colon") }
            key = next
        }
    }

    private func checkIndentation(_ column: Int, _ hasMore: Bool) throws {
        if hasMore, text.column > column { throw text.error("unexpected indentation") }
        if hasMore, text.next == JSONByte.tab { throw text.error("a tab cannot be used for indentation") }
    }

    /// Reads a value that is not a block map or list, up to the end of its last line.
    private mutating func inline(in indent: Int, _ tag: YAMLNode.Style?, _ depth: Int) throws -> YAMLNode {
        let line = text.line
        if let node = try delimited(tag, depth) {
            try endLine()
            return node
        }
        guard text.next == UInt8(ascii: "|") || text.next == UInt8(ascii: ">") else {
            return YAMLNode(content: .scalar(try plain(in: indent), tag ?? .plain), line: line)
        }
        return YAMLNode(
            content: .scalar(try blockScalar(in: indent), tag == .binary ? .binary : .text),
            line: line
        )
    }

    /// Reads text in quotes, a list in brackets or a map in braces; `nil` if none of them begins.
    private mutating func delimited(_ tag: YAMLNode.Style?, _ depth: Int) throws -> YAMLNode? {
        let line = text.line
        switch text.next {
        case JSONByte.quote, UInt8(ascii: "'"):
            return YAMLNode(content: .scalar(try quoted(), tag == .binary ? .binary : .text), line: line)
        case JSONByte.openBracket, JSONByte.openBrace:
            guard tag != .binary else { throw text.error("`!!binary` is only valid for text") }
            return try flow(depth: depth + 1)
        default: return nil
        }
    }

    private mutating func endLine() throws {
        text.skipSpaces()
        text.skipComment()
        guard text.endsLine() else { throw text.error("expected the end of the line") }
    }

    /// Reads a key and its colon; `nil`, with the position anywhere after it, if there is none on the line.
    mutating func key() throws -> String? {
        let line = text.line
        let key: String
        switch text.next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            key = try quoted()
            text.skipSpaces()
        case UInt8(ascii: "?") where text.isBlank(after: 1):
            throw text.error("keys after `?` are not supported")
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"): return nil
        default:
            var length = 0
            while !isColon(after: length) {
                guard !text.endsLine(after: length), !isComment(after: length) else { return nil }
                length += 1
            }
            try checkStart()
            key = String(decoding: text.take(length), as: UTF8.self).trimmingSpaces()
        }
        guard text.line == line, isColon(after: 0) else { return nil }
        text.skip()
        return key
    }

    /// Whether a colon that ends a key is some way ahead.
    func isColon(after distance: Int) -> Bool {
        text.byte(after: distance) == JSONByte.colon && text.isBlank(after: distance + 1)
    }

    func isComment(after distance: Int) -> Bool {
        text.byte(after: distance) == UInt8(ascii: "#")
            && (distance == 0 || [JSONByte.space, JSONByte.tab].contains(text.byte(after: distance - 1)))
    }

    /// Rejects characters with which text without quotes cannot begin.
    func checkStart() throws {
        switch text.next {
        case UInt8(ascii: "&"), UInt8(ascii: "*"):
            throw text.error("anchors and aliases are not supported; repeat the value instead")
        case UInt8(ascii: "!"): throw text.error("a key cannot have a tag")
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "%"), UInt8(ascii: "@"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: ">"):
            let character = text.next.map { String(UnicodeScalar($0)) } ?? ""
            throw text.error("text that begins with `\(character)` needs quotes")
        case UInt8(ascii: "-"), UInt8(ascii: "?"), JSONByte.colon:
            if text.isBlank(after: 1) { throw text.error("expected a value") }
        default: break
        }
    }

    mutating func tag() throws -> YAMLNode.Style? {
        guard text.next == UInt8(ascii: "!") else { return nil }
        var length = 1
        while !text.isBlank(after: length), length < 100 { length += 1 }
        let start = text
        let tag = String(decoding: text.take(length), as: UTF8.self)
        text.skipSpaces()
        switch tag {
        // Psych 1.3 put `!` before every text in quotes.
        case "!", "!!str", "!<tag:yaml.org,2002:str>": return .text
        case "!!binary", "!binary", "!<tag:yaml.org,2002:binary>": return .binary
        default:
            throw start.error(
                "the tag `\(tag)` is not supported; only `!!str` and `!!binary` are"
            )
        }
    }

    /// Reads a list in brackets or a map in braces, which may span lines.
    mutating func flow(depth: Int) throws -> YAMLNode {
        guard depth <= Self.maximumDepth else {
            throw text.error("nested deeper than \(Self.maximumDepth) levels")
        }
        let line = text.line
        let isMap = text.next == JSONByte.openBrace
        let end = isMap ? JSONByte.closeBrace : JSONByte.closeBracket
        text.skip()
        var elements: [YAMLNode] = []
        var pairs: [YAMLNode.Pair] = []
        while try skipFlowSpace() != end {
            let element = try flowValue(depth)
            if isMap {
                guard let key = element.stringValue else {
                    throw text.error("a key must be text")
                }
                pairs.append(.init(key: key, value: try flowMember(depth)))
            } else {
                elements.append(element)
            }
            let next = try skipFlowSpace()
            guard next == JSONByte.comma || next == end else {
                throw text.error("expected a comma or `\(UnicodeScalar(end))`")
            }
            if next == JSONByte.comma { text.skip() }
        }
        text.skip()
        return YAMLNode(content: isMap ? .mapping(pairs) : .sequence(elements), line: line)
    }

    private mutating func flowMember(_ depth: Int) throws -> YAMLNode {
        let next = try skipFlowSpace()
        guard next == JSONByte.colon else { return YAMLNode(content: .scalar("", .plain), line: text.line) }
        text.skip()
        let start = try skipFlowSpace()
        if start == JSONByte.comma || start == JSONByte.closeBrace {
            return YAMLNode(content: .scalar("", .plain), line: text.line)
        }
        return try flowValue(depth)
    }

    private mutating func flowValue(_ depth: Int) throws -> YAMLNode {
        let line = text.line
        let tag = try tag()
        if let node = try delimited(tag, depth) { return node }
        return YAMLNode(content: .scalar(try flowPlain(), tag ?? .plain), line: line)
    }

    /// Reads text without quotes up to a comma, a bracket, or a colon and a space.
    private mutating func flowPlain() throws -> String {
        try checkStart()
        var result: [UInt8] = []
        while let byte = text.next {
            if Self.brackets.contains(byte) || isFlowColon { break }
            if text.isBlank() {
                let spaces = spaces()
                result += foldedBreaks() ?? Array(spaces)
                if isComment(after: 0) && !spaces.isEmpty { break }
                continue
            }
            result.append(byte)
            text.skip()
        }
        return String(decoding: result, as: UTF8.self).trimmingSpaces()
    }

    private var isFlowColon: Bool {
        guard text.next == JSONByte.colon else { return false }
        return text.isBlank(after: 1) || text.byte(after: 1).map(Self.brackets.contains) ?? false
    }

    private static let brackets: Set<UInt8> = [
        JSONByte.comma, JSONByte.openBracket, JSONByte.closeBracket, JSONByte.openBrace, JSONByte.closeBrace,
    ]

    /// Skips spaces, comments and line breaks, and returns the next byte.
    private mutating func skipFlowSpace() throws -> UInt8 {
        repeat {
            text.skipSpaces()
            while text.next == JSONByte.tab { text.skip() }
            text.skipComment()
        } while text.skipBreak()
        guard let next = text.next, !text.isAtMarker else { throw text.error("missing closing bracket") }
        return next
    }
}

/// A YAML value, with the line on which it begins.
struct YAMLNode: Sendable, Hashable, FieldValue {
    enum Content: Sendable, Hashable {
        /// A scalar, after removing quotes and unfolding lines.
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping([Pair])
    }

    /// The style of a scalar, which determines whether it can be anything but text.
    enum Style: Sendable, Hashable {
        /// Without quotes: `null`, a number, a Boolean or text.
        case plain
        /// In quotes, as a block, or with the tag `!!str`: always text.
        case text
        /// With the tag `!!binary`: base64.
        case binary
    }

    struct Pair: Sendable, Hashable {
        var key: String
        var value: YAMLNode
    }

    var content: Content
    var line: Int?

    var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    var stringValue: String? { if case .scalar(let text, _) = content { text } else { nil } }

    var doubleValue: Double? {
        guard case .scalar(let text, .plain) = content else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    var integerValue: Int? {
        guard case .scalar(let text, .plain) = content else { return nil }
        return Int(text)
    }

    var arrayValue: [YAMLNode]? { if case .sequence(let elements) = content { elements } else { nil } }
    var isObject: Bool { if case .mapping = content { true } else { false } }

    var members: [(name: String, value: YAMLNode)] {
        if case .mapping(let pairs) = content { pairs.map { ($0.key, $0.value) } } else { [] }
    }

    subscript(name: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.last { $0.key == name }?.value
    }

    var base64Text: String? { if case .scalar(let text, .binary) = content { text } else { nil } }
}
