/// Reads the YAML 1.1 that recorders write: mappings, lists, scalars of every style, anchors and aliases, and the tags of
/// text, numbers, lists and mappings. A tag that would create an object is an error. Keys must be text.
struct YAMLParser {
    var text: YAMLText
    private var anchors = YAMLAnchors()
    /// Whether the last value was not closed by a quote or bracket, so that it may be cut off.
    private var endsOpen = false

    private init(_ text: YAMLText) { self.text = text }

    static let maximumDepth = 64
    static let tooDeep = "nested deeper than \(maximumDepth) levels"

    /// What a value belongs to, which determines where it may begin.
    enum Owner {
        case document, list
        /// A key on the same line.
        case key
        /// `?` or `:` in front of a key or a value.
        case indicator

        /// Whether a map may begin on the same line.
        fileprivate var takesMap: Bool { self != .key }
        /// Whether a list may be in the column of the owner.
        fileprivate var takesListInColumn: Bool { self == .key || self == .indicator }
    }

    /// Reads a text with one document.
    /// - Throws: ``CassetteError/Problem`` with the line and column.
    static func document(_ bytes: [UInt8]) throws -> YAMLNode { try documentAndEnd(bytes).root }

    /// Reads a text with one document, and whether more text could have followed its last value.
    static func documentAndEnd(_ bytes: [UInt8]) throws -> (root: YAMLNode, endsOpen: Bool) {
        var parser = YAMLParser(try YAMLText(bytes))
        return (try parser.document(), parser.endsOpen)
    }

    private mutating func document() throws -> YAMLNode {
        while text.skipToContent(), text.column == 0, text.next == UInt8(ascii: "%") { try skipDirective() }
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

    private mutating func skipDirective() throws {
        let start = text
        let name = text.takeWord()
        guard name == "%YAML" else { throw start.error("the directive `\(name.prefix(100))` is not supported") }
        while !text.endsLine() { text.skip() }
    }

    /// Reads the value after a colon, a dash or the start of a document. The indentation is the column of the map or
    /// list that the value belongs to.
    mutating func value(in indent: Int, of owner: Owner, depth: Int) throws -> YAMLNode {
        guard depth <= Self.maximumDepth else { throw text.error(Self.tooDeep) }
        skipToValue()
        guard !text.endsLine() else { return try laterValue(in: indent, of: owner, depth) }
        if owner == .key, text.isAt("-") { throw text.error("a list must begin on the line after its key") }
        return owner.takesMap
            ? try block(in: indent, of: owner, depth) : try inline(in: indent, of: owner, depth)
    }

    private mutating func skipToValue() {
        text.skipSpaces()
        text.skipComment()
    }

    /// Reads a value that begins on a later line; null if none of them is indented enough.
    private mutating func laterValue(in indent: Int, of owner: Owner, _ depth: Int) throws -> YAMLNode {
        let line = text.line
        guard text.skipToContent(),
            text.column > indent || owner.takesListInColumn && text.column == indent && text.isAt("-")
        else {
            endsOpen = true
            return .null(line: line)
        }
        return try block(in: indent, of: owner, depth)
    }

    /// Reads a value that may be a map or a list in the column where it begins.
    private mutating func block(in indent: Int, of owner: Owner, _ depth: Int) throws -> YAMLNode {
        let (column, line) = (text.column, text.line)
        if text.next == JSONByte.tab { throw text.error("a tab cannot be used for indentation") }
        if text.isAt("-") {
            return YAMLNode(content: .sequence(try sequence(at: column, depth)), line: line)
        }
        let start = text
        if let pair = try pair(at: column, depth) {
            return YAMLNode(content: try mapping(at: column, from: pair, depth), line: line)
        }
        text = start
        return try inline(in: indent, of: owner, depth)
    }

    private mutating func sequence(at column: Int, _ depth: Int) throws -> [YAMLNode] {
        var elements: [YAMLNode] = []
        var hasMore = true
        while hasMore, text.column == column, text.isAt("-") {
            text.skip()
            elements.append(try value(in: column, of: .list, depth: depth + 1))
            hasMore = text.skipToContent()
        }
        try checkIndentation(column, hasMore)
        return elements
    }

    private mutating func mapping(at column: Int, from first: YAMLNode.Pair, _ depth: Int) throws
        -> YAMLNode.Content
    {
        var pairs = [first]
        while true {
            let hasMore = text.skipToContent()
            try checkIndentation(column, hasMore)
            guard hasMore, text.column == column else { break }
            let start = text
            guard let next = try pair(at: column, depth) else {
                throw start.error("expected a key and a colon")
            }
            pairs.append(next)
        }
        return try merged(pairs)
    }

    /// Reads a key and its value; `nil`, with the position anywhere after it, if there is no key on the line.
    private mutating func pair(at column: Int, _ depth: Int) throws -> YAMLNode.Pair? {
        guard text.isAt("?") else {
            guard var pair = try key() else { return nil }
            pair.value = try value(in: column, of: .key, depth: depth + 1)
            return pair
        }
        // PyYAML writes keys of more than 128 characters after `?`, and their value on the next line.
        let start = text
        text.skip()
        guard let name = try value(in: column, of: .indicator, depth: depth + 1).stringValue else {
            throw start.error("a key must be text")
        }
        var pair = YAMLNode.Pair(key: name, value: .null(line: text.line))
        guard text.skipToContent(), text.column == column, text.isAt(":") else { return pair }
        text.skip()
        pair.value = try value(in: column, of: .indicator, depth: depth + 1)
        return pair
    }

    func merged(_ pairs: [YAMLNode.Pair]) throws -> YAMLNode.Content {
        do {
            return try YAMLNode.Content.mapping(merging: pairs)
        } catch {
            throw CassetteError.Problem.structure(
                place: "line \(error.line ?? text.line), `<<`",
                cause: "expected a mapping or a list of mappings"
            )
        }
    }

    private func checkIndentation(_ column: Int, _ hasMore: Bool) throws {
        if hasMore, text.column > column { throw text.error("unexpected indentation") }
        if hasMore, text.next == JSONByte.tab { throw text.error("a tab cannot be used for indentation") }
    }

    /// Reads a value that is not a map or list without brackets, up to the end of its last line, or a value of any kind
    /// on the lines after its properties.
    private mutating func inline(in indent: Int, of owner: Owner, _ depth: Int) throws -> YAMLNode {
        let line = text.line
        let properties = try properties()
        skipToValue()
        if text.endsLine(), !properties.isEmpty {
            guard depth < Self.maximumDepth else { throw text.error(Self.tooDeep) }
            return keep(try laterValue(in: indent, of: owner, depth + 1), properties)
        }
        if let node = try delimited(properties, depth) {
            text.skipSpaces()
            text.skipComment()
            guard text.endsLine() else { throw text.error("expected the end of the line") }
            endsOpen = false
            return node
        }
        endsOpen = true
        let isBlock = text.next == UInt8(ascii: "|") || text.next == UInt8(ascii: ">")
        let content = isBlock ? try blockScalar(in: indent) : try plain(in: indent)
        return keep(YAMLNode(content: .scalar(content, isBlock ? .text : .plain), line: line), properties)
    }

    /// Reads an alias, text in quotes, a list in brackets or a map in braces; `nil` if none of them begins.
    mutating func delimited(_ properties: YAMLProperties, _ depth: Int) throws -> YAMLNode? {
        let line = text.line
        switch text.next {
        case UInt8(ascii: "*"):
            guard properties.isEmpty else { throw text.error("an alias cannot have a tag or an anchor") }
            return try alias(depth)
        case JSONByte.quote, UInt8(ascii: "'"):
            return keep(YAMLNode(content: .scalar(try quoted(), .text), line: line), properties)
        case JSONByte.openBracket, JSONByte.openBrace:
            return keep(try flow(depth: depth + 1), properties)
        default: return nil
        }
    }

    private mutating func alias(_ depth: Int) throws -> YAMLNode {
        let start = text
        text.skip()
        do {
            return try anchors.node(text.takeWord(before: Self.brackets), atDepth: depth)
        } catch {
            throw start.error(error.cause)
        }
    }

    /// Applies the tag of a node, and keeps the node for the aliases of its anchor.
    mutating func keep(_ node: YAMLNode, _ properties: YAMLProperties) -> YAMLNode {
        let node = node.tagged(properties.tag)
        if let anchor = properties.anchor { anchors.add(node, as: anchor) }
        return node
    }

    /// Reads a tag and an anchor in any order.
    mutating func properties() throws -> YAMLProperties {
        var properties = YAMLProperties()
        while true {
            let start = text
            switch text.next {
            case UInt8(ascii: "!"):
                let isVerbatim = text.byte(after: 1) == UInt8(ascii: "<")
                let tag = text.takeWord(before: isVerbatim ? [] : Self.brackets, through: UInt8(ascii: ">"))
                guard properties.tag == nil else { throw start.error("a value can have only one tag") }
                if YAMLTag.isExecutable(tag) {
                    throw start.error(
                        "the tag `\(tag.prefix(100))` is not supported, because it creates an object"
                    )
                }
                properties.tag = tag
            case UInt8(ascii: "&"):
                text.skip()
                let name = text.takeWord(before: Self.brackets)
                guard properties.anchor == nil else { throw start.error("a value can have only one anchor") }
                guard !name.isEmpty else { throw start.error("the anchor has no name") }
                properties.anchor = name
            default: return properties
            }
            text.skipSpaces()
        }
    }

    /// Reads a key and its colon; `nil`, with the position anywhere after it, if there is none on the line.
    private mutating func key() throws -> YAMLNode.Pair? {
        let line = text.line
        let properties = try properties()
        var pair = YAMLNode.Pair(key: "", value: .null(line: line))
        switch text.next {
        case JSONByte.quote, UInt8(ascii: "'"):
            pair.key = try quoted()
            text.skipSpaces()
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"): return nil
        default:
            var length = 0
            while !isColon(after: length) {
                guard !text.endsLine(after: length), !isComment(after: length) else { return nil }
                length += 1
            }
            if text.next == UInt8(ascii: "*") { throw text.error("a key must be text") }
            try checkStart()
            pair.key = String(decoding: text.take(length), as: UTF8.self).trimmingSpaces()
            pair.isPlain = true
        }
        guard text.line == line, isColon(after: 0) else { return nil }
        text.skip()
        if !properties.isEmpty {
            let style: YAMLNode.Style = pair.isPlain ? .plain : .text
            let node = keep(YAMLNode(content: .scalar(pair.key, style), line: line), properties)
            guard node.stringValue != nil else { throw text.error("a key must be text") }
            pair.isPlain = false
        }
        return pair
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
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "%"), UInt8(ascii: "@"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: ">"):
            let character = text.next.map { String(UnicodeScalar($0)) } ?? ""
            throw text.error("text that begins with `\(character)` needs quotes")
        case UInt8(ascii: "-"), UInt8(ascii: "?"), JSONByte.colon:
            if text.isBlank(after: 1) { throw text.error("expected a value") }
        default: break
        }
    }

    static let brackets: Set<UInt8> = [
        JSONByte.comma, JSONByte.openBracket, JSONByte.closeBracket, JSONByte.openBrace, JSONByte.closeBrace,
    ]
}
