/// The tokens and the operations of a GraphQL document.
///
/// ```swift
/// let document = GraphQLDocument("query Hero($id: ID!) { hero(id: $id) { name } } # comment")
/// document?.normalized  // "query Hero ( $ id : ID ! ) { hero ( id : $ id ) { name } }"
/// ```
package struct GraphQLDocument: Sendable {
    package struct Operation: Hashable, Sendable {
        package let kind: Kind
        package let name: String?
    }

    /// GraphQL October 2021, section 2.3.
    package enum Kind: String, Sendable { case query, mutation, subscription }

    /// The tokens joined by one space; white space, line ends, commas and comments do not matter (section 2.1.7).
    package let normalized: String
    package let operations: [Operation]

    /// Reads a document; `nil` if it contains an invalid token.
    package init?(_ text: String) {
        guard let tokens = GraphQLLexer.tokens(of: text) else { return nil }
        normalized = tokens.joined(separator: " ")
        operations = Self.operations(in: tokens)
    }

    /// The operation with a name; without a name, the only operation of the document (section 6.1).
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

struct GraphQLLexer {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    static func tokens(of text: String) -> [String]? {
        text.withBytes { bytes in
            var lexer = GraphQLLexer(bytes: bytes)
            return lexer.tokens()
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func tokens() -> [String]? {
        var tokens: [String] = []
        skipIgnored()
        while position < bytes.count {
            let start = position
            guard skipToken() else { return nil }
            tokens.append(String(decoding: bytes[start..<position], as: UTF8.self))
            skipIgnored()
        }
        return tokens
    }

    /// Skips white space, line ends, commas, comments and byte order marks, which have no meaning.
    private mutating func skipIgnored() {
        while position < bytes.count {
            switch bytes[position] {
            case JSONByte.tab, JSONByte.space, JSONByte.lineFeed, JSONByte.carriageReturn, JSONByte.comma:
                position += 1
            case UInt8(ascii: "#"): skip { $0 != JSONByte.lineFeed && $0 != JSONByte.carriageReturn }
            case 0xEF where has("\u{FEFF}"): position += 3
            default: return
            }
        }
    }

    private mutating func skipToken() -> Bool {
        switch bytes[position] {
        case JSONByte.quote: return has("\"\"\"") ? skipBlockString() : skipString()
        case JSONByte.minus, JSONByte.zero...JSONByte.nine: return skipNumber()
        case let byte where Self.isNameStart(byte): skip(while: Self.isNamePart)
        case let byte where "!$&():=@[]{|}".utf8.contains(byte): position += 1
        case UInt8(ascii: ".") where has("..."): position += 3
        default: return false
        }
        return true
    }

    private mutating func skipString() -> Bool {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case JSONByte.quote:
                position += 1
                return true
            case JSONByte.lineFeed, JSONByte.carriageReturn: return false
            case JSONByte.backslash:
                position += 1
                guard position < bytes.count, bytes[position] >= JSONByte.space else { return false }
                position += 1
            default: position += 1
            }
        }
        return false
    }

    private mutating func skipBlockString() -> Bool {
        position += 3
        while position < bytes.count {
            if has("\"\"\"") {
                position += 3
                return true
            }
            position += has("\\\"\"\"") ? 4 : 1
        }
        return false
    }

    private mutating func skipNumber() -> Bool {
        if has("-") { position += 1 }
        let startsWithZero = has("0")
        guard let count = skipDigits(), count == 1 || !startsWithZero else { return false }
        if has(".") {
            position += 1
            guard skipDigits() != nil else { return false }
        }
        if has("e") || has("E") {
            position += 1
            if has("+") || has("-") { position += 1 }
            guard skipDigits() != nil else { return false }
        }
        // Section 2.9.2: nothing that could belong to a number or a name may follow.
        return position == bytes.count || !(has(".") || Self.isNameStart(bytes[position]))
    }

    private mutating func skipDigits() -> Int? {
        let start = position
        skip { JSONByte.zero...JSONByte.nine ~= $0 }
        return position > start ? position - start : nil
    }

    private mutating func skip(while isPart: (UInt8) -> Bool) {
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
    }

    private func has(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    /// Section 2.1.9.
    static func isNameStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    static func isName(_ text: String) -> Bool {
        text.utf8.first.map(isNameStart) == true && text.utf8.allSatisfy(isNamePart)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || JSONByte.zero...JSONByte.nine ~= byte
    }
}
