/// The types and functions that a Swift file declares, with their lines.
///
/// It knows comments, strings, braces and conditional compilation, and ignores everything else.
struct SourceDeclarations {
    private struct Declaration {
        /// The names of the types around it; `nil` in the body of a function.
        let path: [String]
        let name: String
        let line: Int
        var isExtension = false
    }

    private var types: [Declaration] = []
    private var functions: [Declaration] = []

    /// The line on which a type is declared. The names are those of the types around it and its own.
    func line(ofType path: [String]) -> Int? {
        types.first { !$0.isExtension && $0.path + [$0.name] == path }?.line
    }

    /// The line on which a type or an extension of it declares a function.
    func line(of function: String, in path: [String]) -> Int? {
        functions.first { $0.name == function && $0.path == path }?.line
    }

    /// Whether a type of that name is declared, inside of whatever type.
    func declares(_ name: String) -> Bool { types.contains { !$0.isExtension && $0.name == name } }

    // MARK: Reading

    private enum Pending {
        case type(keyword: String)
        case function
    }

    init(_ text: String) {
        var tokens = SourceTokens(text)
        /// The path of the type that each open brace begins; `nil` for other braces.
        var scopes: [[String]?] = []
        var conditions: [[[String]?]] = []
        var pending: Pending?
        var opened: [String]?
        while let token = tokens.next() {
            // A word in backticks is never a keyword.
            switch token.isQuoted ? "" : token.text {
            case "{":
                scopes.append(opened)
                (opened, pending) = (nil, nil)
            case "}":
                if !scopes.isEmpty { scopes.removeLast() }
            case "#if": conditions.append(scopes)
            // Each branch may contain the opening brace of one declaration.
            case "#else", "#elseif": if let last = conditions.last { scopes = last }
            case "#endif": if !conditions.isEmpty { conditions.removeLast() }
            case "class", "struct", "enum", "actor", "extension", "protocol":
                pending = token.isMember ? nil : .type(keyword: token.text)
            case "func": pending = token.isMember ? nil : .function
            default:
                guard token.isName, let kind = pending else { continue }
                pending = nil
                guard token.isNext else { continue }
                let around = scopes.contains(nil) ? nil : scopes.last ?? []
                switch kind {
                case .function:
                    if let around {
                        functions.append(Declaration(path: around, name: token.text, line: token.line))
                    }
                    opened = nil
                // `class` is also a modifier.
                case .type where Self.modifiers.contains(token.text): break
                case .type(let keyword):
                    let names = [token.text] + tokens.members()
                    guard let around else { continue }
                    opened = around + names
                    types.append(
                        Declaration(
                            path: around + names.dropLast(),
                            name: names[names.count - 1],
                            line: token.line,
                            isExtension: keyword == "extension"
                        )
                    )
                }
            }
        }
    }

    private static let modifiers: Set<String> = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "package",
        "public", "open", "static", "nonisolated",
    ]
}

/// The words and braces of a Swift file, without comments and strings.
private struct SourceTokens {
    struct Token {
        let text: String
        let line: Int
        /// Whether it is a word.
        let isName: Bool
        /// Whether it is in backticks.
        var isQuoted = false
        /// Whether it follows a dot, as a case of an enumeration does.
        let isMember: Bool
        /// Whether only white space and comments are between it and the token before.
        let isNext: Bool
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var hasPunctuation = false

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> Token? {
        var isMember = false
        hasPunctuation = false
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "/") where isNext("/"): skip { $0 == UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where isNext("*"): skipComment()
            case UInt8(ascii: "\""):
                skipString(hashes: 0)
                hasPunctuation = true
            case UInt8(ascii: "#"):
                let start = position
                while position < bytes.count, bytes[position] == byte { position += 1 }
                if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                    skipString(hashes: position - start)
                } else {
                    return token("#" + word(), isMember)
                }
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                position += 1
                return token(byte == UInt8(ascii: "{") ? "{" : "}", isMember, isName: false)
            case UInt8(ascii: "`"):
                position += 1
                let start = position
                skip { $0 == byte || $0 == UInt8(ascii: "\n") }
                let name = String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                let isRaw = name.contains { !Self.isWord($0) }
                return token(isRaw ? "`\(name)`" : name, isMember, isQuoted: true)
            case UInt8(ascii: "."):
                (isMember, hasPunctuation) = (true, true)
                position += 1
            case _ where Self.isWord(byte): return token(word(), isMember)
            default:
                if byte == UInt8(ascii: "\n") { line += 1 }
                if byte > UInt8(ascii: " ") { hasPunctuation = true }
                isMember = false
                position += 1
            }
        }
        return nil
    }

    /// The names that follow directly, each after a dot, as in `extension Outer.Inner`.
    mutating func members() -> [String] {
        var names: [String] = []
        while position + 1 < bytes.count, bytes[position] == UInt8(ascii: "."), Self.isWord(bytes[position + 1])
        {
            position += 1
            names.append(word())
        }
        return names
    }

    private func token(_ text: String, _ isMember: Bool, isName: Bool = true, isQuoted: Bool = false) -> Token {
        Token(
            text: text,
            line: line,
            isName: isName,
            isQuoted: isQuoted,
            isMember: isMember,
            isNext: !hasPunctuation
        )
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func isWord(_ character: Character) -> Bool { character.utf8.allSatisfy { isWord($0) } }

    private mutating func word() -> String {
        let start = position
        skip { !Self.isWord($0) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func isNext(_ character: Unicode.Scalar) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: character)
    }

    private mutating func skip(until isEnd: (UInt8) -> Bool) {
        while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if bytes[position] == UInt8(ascii: "/"), isNext("*") {
                depth += 1
                position += 2
            } else if bytes[position] == UInt8(ascii: "*"), isNext("/") {
                depth -= 1
                position += 2
            } else {
                if bytes[position] == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    /// Skips a string from its first quotation mark, which follows the number signs of a raw string.
    private mutating func skipString(hashes: Int) {
        let quote = UInt8(ascii: "\"")
        let isLong = position + 2 < bytes.count && bytes[position + 1] == quote && bytes[position + 2] == quote
        let end =
            Array(repeating: quote, count: isLong ? 3 : 1) + Array(repeating: UInt8(ascii: "#"), count: hashes)
        let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
        position += isLong ? 3 : 1
        while position < bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return
            }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") {
                line += 1
                // The text is no valid string; what follows is read as code.
                if !isLong { return position += 1 }
            }
            guard bytes[position...].starts(with: escape) else {
                position += 1
                continue
            }
            position += escape.count
            if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
                skipInterpolation()
            } else if position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                position += 1
            }
        }
    }

    /// Skips an interpolated expression, which may contain strings.
    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                skipString(hashes: 0)
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            position += 1
        } while depth > 0 && position < bytes.count
    }
}
