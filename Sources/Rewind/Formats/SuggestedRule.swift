/// The rule for a value that looks like a credential, if it is secret.
package enum SuggestedRule: Hashable, Sendable {
    case header(String)
    case field(String)
    case path(String)
    case pattern(String)

    /// The rule as the value of an option, or in a file of rules.
    package var text: String {
        switch self {
        case .header(let name): "header:\(name)"
        case .field(let name): "field:\(name)"
        case .path(let path): "path:\(path)"
        case .pattern(let pattern): "pattern:\(pattern)"
        }
    }

    /// The rule in Swift.
    package var code: String {
        switch self {
        case .header(let name): ".header(\(Self.literal(name)))"
        case .field(let name): ".field(\(Self.literal(name)))"
        case .path(let path): ".jsonPath(\(Self.literal(path)))"
        case .pattern(let pattern): ".pattern(\(Self.literal(pattern)), name: \"secret\")"
        }
    }

    /// The name of a header field or a field; `nil` for another rule.
    package var name: String? {
        switch self {
        case .header(let name), .field(let name): name
        case .path, .pattern: nil
        }
    }

    private static func literal(_ text: String) -> String {
        text.contains { $0 == "\"" || $0 == "\\" } ? "#\"\(text)\"#" : "\"\(text)\""
    }
}

/// The file beside the cassettes that contains rules of redaction.
package enum RulesFileName {
    package static let text = "redaction.rules"
}
