/// A GraphQL document, read as far as its tokens and the heads of its operations.
///
/// ```swift
/// let document = GraphQLDocument("query Hero($id: ID!) { hero(id: $id) { name } } # who")
/// document?.normalized  // "query Hero ( $ id : ID ! ) { hero ( id : $ id ) { name } }"
/// document?.operationNames  // ["Hero"]
/// ```
package struct GraphQLDocument: Sendable {
    /// One operation of a document.
    package struct Operation: Hashable, Sendable {
        /// What the operation does.
        package let kind: Kind
        /// The name, or `nil` where it has none.
        package let name: String?
    }

    /// The types of operations (GraphQL October 2021, section 2.3).
    package enum Kind: String, Sendable {
        /// Reads.
        case query
        /// Writes, then reads.
        case mutation
        /// Reads again and again.
        case subscription
    }

    /// The tokens joined by one space, strings as they were spelled.
    ///
    /// White space, line ends, commas and comments between tokens are free (section 2.1.7).
    package let normalized: String
    /// The operations in order.
    package let operations: [Operation]

    /// Reads a document, or returns `nil` where it is not made of tokens.
    package init?(_ text: String) {
        guard let tokens = GraphQLLexer.tokens(of: text) else { return nil }
        normalized = tokens.joined(separator: " ")
        operations = Self.operations(in: tokens)
    }

    /// The operation that runs under a name or, where none is given, the only one there is (section 6.1).
    package func operation(named name: String?) -> Operation? {
        guard let name else { return operations.count == 1 ? operations.first : nil }
        return operations.first { $0.name == name }
    }

    /// Reads the first tokens of every definition and skips to the brace that ends it.
    private static func operations(in tokens: [String]) -> [Operation] {
        var operations: [Operation] = []
        var depth = 0
        var isStart = true
        for (index, token) in tokens.enumerated() {
            if isStart {
                let next = tokens.dropFirst(index + 1).first
                operations += operation(startingWith: token, next).map { [$0] } ?? []
                isStart = false
            }
            switch token {
            case "{", "(", "[": depth += 1
            case "}", ")", "]":
                depth = max(depth - 1, 0)
                isStart = depth == 0 && token == "}"
            default: break
            }
        }
        return operations
    }

    private static func operation(startingWith token: String, _ next: String?) -> Operation? {
        if token == "{" { return Operation(kind: .query, name: nil) }
        guard let kind = Kind(rawValue: token), let next else { return nil }
        switch next.utf8.first {
        case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "@"): return Operation(kind: kind, name: nil)
        case let byte? where GraphQLLexer.isNameStart(byte): return Operation(kind: kind, name: next)
        default: return nil
        }
    }
}
