/// A YAML value, with the line on which it begins.
struct YAMLNode: Sendable, Hashable, FieldValue {
    enum Content: Sendable, Hashable {
        /// A scalar, after removing quotes and unfolding lines.
        case scalar(String, Style)
        case sequence([YAMLNode])
        /// The members of a mapping, each name once.
        case mapping([Pair])
        /// A value with a tag that is not supported. It affects only what needs the value.
        case unsupported(String)
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
        /// Whether the key is written without quotes, so that `<<` merges mappings.
        var isPlain = false
    }

    var content: Content
    var line: Int?

    static func null(line: Int) -> YAMLNode { YAMLNode(content: .scalar("", .plain), line: line) }

    var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    var isBoolean: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["true", "True", "TRUE", "false", "False", "FALSE"].contains(text)
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
    var unsupported: String? { if case .unsupported(let cause) = content { cause } else { nil } }
}

extension YAMLNode.Content {
    /// A mapping from its members as written. Of members with the same name, the last one counts, as in PyYAML and Psych.
    /// The members of a mapping after `<<` come first, unless the mapping has members of the same names.
    static func mapping(merging written: [YAMLNode.Pair]) throws(YAMLMergeError) -> Self {
        var merged: [YAMLNode.Pair] = []
        for pair in written where pair.isMerge {
            do {
                merged += try pair.value.mergedPairs()
            } catch {
                throw YAMLMergeError(line: pair.value.line)
            }
        }
        let pairs = merged.isEmpty ? written.filter { !$0.isMerge } : merged + written.filter { !$0.isMerge }
        var places: [[UInt8]: Int] = [:]
        var unique: [YAMLNode.Pair] = []
        unique.reserveCapacity(pairs.count)
        for pair in pairs {
            // A few names are compared faster than they are hashed.
            let place =
                pairs.count < 16
                ? unique.firstIndex { $0.key.utf8.elementsEqual(pair.key.utf8) } : places[Array(pair.key.utf8)]
            if let place {
                unique[place].value = pair.value
            } else {
                if pairs.count >= 16 { places[Array(pair.key.utf8)] = unique.count }
                unique.append(pair)
            }
        }
        return .mapping(unique)
    }
}

/// A value after `<<` that is not a mapping.
struct YAMLMergeError: Error { var line: Int? }

extension YAMLNode.Pair {
    fileprivate var isMerge: Bool { isPlain && key == "<<" }
}

extension YAMLNode {
    /// The members that a merge adds. Of several mappings, the first one wins.
    fileprivate func mergedPairs() throws(YAMLMergeError) -> [Pair] {
        switch content {
        case .mapping(let pairs): return pairs
        case .sequence(let nodes):
            var pairs: [Pair] = []
            for node in nodes.reversed() {
                guard case .mapping(let part) = node.content else { throw YAMLMergeError() }
                pairs += part
            }
            return pairs
        case .scalar, .unsupported: throw YAMLMergeError()
        }
    }
}
