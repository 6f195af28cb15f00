/// What may stand before a YAML value: a tag, an anchor, or both.
struct YAMLProperties {
    var tag: String?
    var anchor: String?

    var isEmpty: Bool { tag == nil && anchor == nil }
}

/// The nodes that have anchors, and what their aliases may repeat.
struct YAMLAnchors {
    private struct Anchored {
        var node: YAMLNode
        var size: Int
        var height: Int
    }

    /// The size that all aliases of a file together may repeat, so that a small file cannot expand without limit.
    static let maximumExpansion = 1 << 22

    private var nodes: [String: Anchored] = [:]
    private var expansion = 0

    /// Keeps a complete node. An alias in the node itself finds no anchor, so no node can contain itself.
    mutating func add(_ node: YAMLNode, as name: String) {
        let (size, height) = node.extent
        nodes[name] = Anchored(node: node, size: size, height: height)
    }

    /// Returns the node of an alias.
    mutating func node(_ name: String, atDepth depth: Int) throws(YAMLAliasError) -> YAMLNode {
        guard let anchored = nodes[name] else {
            throw YAMLAliasError(cause: "no value before the alias `*\(name.prefix(100))` has its anchor")
        }
        guard depth + anchored.height <= YAMLParser.maximumDepth else {
            throw YAMLAliasError(cause: YAMLParser.tooDeep)
        }
        expansion += anchored.size
        guard expansion <= Self.maximumExpansion else {
            throw YAMLAliasError(cause: "the aliases repeat more than \(Self.maximumExpansion >> 20) MiB")
        }
        return anchored.node
    }
}

struct YAMLAliasError: Error { let cause: String }

extension YAMLNode {
    /// The size in memory, roughly, and the number of levels.
    fileprivate var extent: (size: Int, height: Int) {
        switch content {
        case .scalar(let text, _), .unsupported(let text): (text.utf8.count + 32, 0)
        case .sequence(let nodes): Self.extent(of: nodes)
        case .mapping(let pairs): Self.extent(of: pairs.map(\.value), names: pairs.map(\.key))
        }
    }

    private static func extent(of nodes: [YAMLNode], names: [String] = []) -> (Int, Int) {
        var (size, height) = (names.reduce(32) { $0 + $1.utf8.count }, 0)
        for node in nodes {
            let inner = node.extent
            size += inner.size
            height = max(height, inner.height)
        }
        return (size, height + 1)
    }

    /// The node with the meaning of its tag. Tags of languages that write text, numbers, lists and mappings change
    /// nothing else. Any other tag makes the value unsupported.
    func tagged(_ tag: String?) -> YAMLNode {
        // `!` before a list or mapping means nothing.
        guard let tag, tag != "!" || stringValue != nil else { return self }
        var node = self
        node.content =
            YAMLTag(tag).applied(to: content) ?? .unsupported("the tag `\(tag.prefix(100))` is not supported")
        return node
    }
}

/// The meaning of a tag.
enum YAMLTag {
    case text, binary, scalar, list, mapping, unknown

    init(_ tag: String) {
        // `!<tag:yaml.org,2002:str>`, `!!str` and Ruby's `!str` are the same.
        let verbatim = "!<tag:yaml.org,2002:"
        let name =
            tag.hasPrefix(verbatim) && tag.hasSuffix(">")
            ? tag.dropFirst(verbatim.count).dropLast() : tag.drop { $0 == "!" }
        // A class of the app after a colon, such as `!ruby/hash:Options`.
        let kind = name.hasPrefix("ruby/") ? name.prefix { $0 != ":" } : name
        self =
            switch kind {
            // Psych 1.3 put `!` before every text in quotes.
            case "", "str", "python/unicode", "python/str", "ruby/symbol", "ruby/sym", "ruby/string": .text
            case "binary", "python/bytes": .binary
            case "int", "float", "bool", "null", "timestamp", "python/int", "python/long", "python/float",
                "python/bool", "python/none":
                .scalar
            case "seq", "python/list", "python/tuple", "ruby/array": .list
            case "map", "python/dict", "ruby/hash": .mapping
            // VCR 1 wrote its own classes.
            case "ruby/struct", "ruby/object": name.contains(":VCR::") ? .mapping : .unknown
            default: .unknown
            }
    }

    /// Whether a tag of Python would create an object or call a function.
    static func isExecutable(_ tag: String) -> Bool {
        ["object", "name", "module"].contains { tag.contains("python/\($0)") }
    }

    func applied(to content: YAMLNode.Content) -> YAMLNode.Content? {
        switch (self, content) {
        case (.text, .scalar(let text, _)): .scalar(text, .text)
        case (.binary, .scalar(let text, _)): .scalar(text, .binary)
        case (.scalar, .scalar(let text, _)): .scalar(text.trimmingSpaces(), .plain)
        case (.list, .sequence), (.mapping, .mapping): content
        // `headers: !ruby/struct:VCR::…` and `!!map` without members.
        case (.mapping, .scalar("", .plain)): .mapping([])
        case (.list, .scalar("", .plain)): .sequence([])
        case (.text, .mapping): Self.text(of: content)
        default: nil
        }
    }

    /// The text of a Ruby string with instance variables, which is a mapping.
    private static func text(of content: YAMLNode.Content) -> YAMLNode.Content? {
        guard case .mapping(let pairs) = content, let node = pairs.last(where: { $0.key == "str" })?.value,
            let text = node.stringValue
        else { return nil }
        return .scalar(text, node.base64Text == nil ? .text : .binary)
    }
}
