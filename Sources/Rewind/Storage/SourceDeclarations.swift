/// The types, functions and string literals of a Swift file, with their lines.
///
/// It knows attributes, braces and conditional compilation, and ignores everything else.
struct SourceDeclarations {
    /// A type, or an extension of it, outside of functions.
    struct TypeDeclaration {
        /// The names of the types around it, and its own.
        let names: [String]
        let line: Int
        let isExtension: Bool
    }

    /// A function outside of functions.
    struct Function: Hashable {
        let types: [String]
        let name: String
        let line: Int
        /// Whether it looks like a test: it is named `test…` or has the attribute `@Test`.
        let isTest: Bool
    }

    struct Literal: Hashable {
        let types: [String]
        /// The function that contains it or has it in an attribute; `nil` in a property or beside a type.
        let function: String?
        let text: String
        let line: Int
    }

    private(set) var types: [TypeDeclaration] = []
    private(set) var functions: [Function] = []
    private(set) var literals: [Literal] = []
    /// The class that each class inherits from, or its first protocol.
    private(set) var superclasses: [String: String] = [:]

    /// The line on which a type is declared. The names are those of the types around it and its own.
    func line(ofType names: [String]) -> Int? { types.first { !$0.isExtension && $0.names == names }?.line }

    /// The line on which a type or an extension of it declares a function.
    func line(of function: String, in types: [String]) -> Int? {
        functions.first { $0.name == function && $0.types == types }?.line
    }

    /// Whether a type of that name is declared, inside of whatever type.
    func declares(_ name: String) -> Bool { types.contains { !$0.isExtension && $0.names.last == name } }

    // MARK: Reading

    /// What an opening brace begins.
    private enum Scope {
        case type([String])
        case function(String)
        case other

        var isType: Bool { if case .type = self { true } else { false } }
    }

    private var tokens: [SourceToken]
    private var position = 0
    private var scopes: [Scope] = []
    /// The scopes at the start of each open condition. Each branch may contain the opening brace of one declaration.
    private var conditions: [[Scope]] = []
    /// What the next opening brace begins.
    private var opened = Scope.other
    /// The string literals in the attributes of the next declaration.
    private var attributed: [SourceToken] = []
    private var hasTestAttribute = false

    init(_ text: String) {
        tokens = SourceToken.tokens(of: text)
        while let token = next() { read(token) }
        tokens = []
    }

    private mutating func read(_ token: SourceToken) {
        switch (token.kind, token.text) {
        case (.punctuation, "{"):
            scopes.append(opened)
            opened = .other
        case (.punctuation, "}"):
            _ = scopes.popLast()
            opened = .other
        case (.punctuation, "@"): readAttribute()
        // The name of a case or a member may be a keyword.
        case (.punctuation, "."): _ = name()
        case (.directive, "#if"): conditions.append(scopes)
        case (.directive, "#else"), (.directive, "#elseif"): scopes = conditions.last ?? scopes
        case (.directive, "#endif"): _ = conditions.popLast()
        case (.literal, _): add(token, to: function)
        case (.word, "import"): if ["class", "struct", "enum", "protocol"].contains(peek?.text) { _ = next() }
        case (.word, "func"): readFunction()
        case (.word, "class"), (.word, "struct"), (.word, "enum"), (.word, "actor"), (.word, "protocol"),
            (.word, "extension"):
            readType(token.text)
        case (.word, "var"), (.word, "let"): if function == nil { endAttributes(of: nil) }
        default: break
        }
    }

    private mutating func readFunction() {
        let line = peek?.line ?? 0
        guard let name = name() else { return }
        if !isInBody {
            let isTest = name.hasPrefix("test") || hasTestAttribute
            functions.append(Function(types: typeNames, name: name, line: line, isTest: isTest))
            endAttributes(of: name)
        }
        opened = .function(name)
    }

    private mutating func readType(_ keyword: String) {
        // `class` is also a modifier.
        guard let token = peek, token.kind != .word || !Self.modifiers.contains(token.text),
            let names = path(), !isInBody
        else { return }
        let all = typeNames + names
        types.append(TypeDeclaration(names: all, line: token.line, isExtension: keyword == "extension"))
        if keyword == "class", let name = names.last, let inherited = inheritedType() {
            superclasses[name] = inherited
        }
        opened = .type(all)
        endAttributes(of: nil)
    }

    /// The first type after a colon, without the types or modules around it.
    private mutating func inheritedType() -> String? {
        var depth = 0
        while let token = peek, token.text == "<" || depth > 0 {
            depth += token.text == "<" ? 1 : token.text == ">" ? -1 : 0
            _ = next()
        }
        guard peek?.text == ":" else { return nil }
        _ = next()
        return path()?.last
    }

    /// Reads an attribute with its arguments, as in `@Test(.cassette("name"))`.
    private mutating func readAttribute() {
        guard let name = path()?.last else { return }
        hasTestAttribute = hasTestAttribute || name == "Test"
        var depth = 0
        while let token = peek, token.text == "(" || depth > 0 {
            depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0
            if token.kind == .literal { attributed.append(token) }
            _ = next()
        }
    }

    /// Assigns the literals in the attributes of a declaration to it.
    private mutating func endAttributes(of function: String?) {
        for literal in attributed { add(literal, to: function) }
        attributed = []
        hasTestAttribute = false
    }

    private mutating func add(_ literal: SourceToken, to function: String?) {
        guard !literal.text.isEmpty else { return }
        literals.append(
            Literal(types: typeNames, function: function, text: literal.text, line: literal.line)
        )
    }

    private var peek: SourceToken? { position < tokens.count ? tokens[position] : nil }

    private mutating func next() -> SourceToken? {
        defer { position += 1 }
        return peek
    }

    private mutating func name() -> String? {
        guard let token = peek, token.kind == .word || token.kind == .quotedWord else { return nil }
        position += 1
        return token.text
    }

    /// Names that are separated by dots, as in `extension Outer.Inner`.
    private mutating func path() -> [String]? {
        guard let first = name() else { return nil }
        var names = [first]
        while peek?.text == ".", peek?.kind == .punctuation {
            position += 1
            if let name = name() { names.append(name) }
        }
        return names
    }

    /// The names of the types around the position, or of the one whose brace comes next.
    private var typeNames: [String] {
        for case .type(let names) in [opened] + scopes.prefix(while: \.isType).reversed() { return names }
        return []
    }

    /// The outermost function around the position, or the one whose parameters are there.
    private var function: String? {
        for case .function(let name) in scopes + [opened] { return name }
        return nil
    }

    /// Whether the position is in the body of a function or a property.
    private var isInBody: Bool { !scopes.allSatisfy(\.isType) }

    private static let modifiers: Set<String> = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "package",
        "public", "open", "static", "nonisolated",
    ]
}
