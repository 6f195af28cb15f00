import Foundation

/// The types, functions and string literals of a Swift file, found by the indentation of its lines.
struct SwiftDeclarations {
    struct Function: Hashable { let types: [String], name: String, line: Int, isTest: Bool }
    struct Literal: Hashable { let types: [String], function: String?, text: String, line: Int }

    private(set) var types: [[String]] = []
    private(set) var functions: [Function] = []
    private(set) var literals: [Literal] = []
    private(set) var superclasses: [String: String] = [:]

    private var openTypes: [(names: [String], depth: Int)] = []
    private var openFunction: (name: String, depth: Int)?
    /// The literals in attributes of the next function.
    private var attributed: [(text: String, line: Int)] = []
    private var hasTestAttribute = false

    init(_ text: String) {
        for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
            let code = line.drop { $0 == " " || $0 == "\t" }
            guard !code.isEmpty, !code.hasPrefix("//") else { continue }
            read(code, depth: line.count - code.count, number)
        }
    }

    private var typeNames: [String] { openTypes.flatMap(\.names) }

    private mutating func read(_ code: Substring, depth: Int, _ line: Int) {
        if !Self.closes(code) {
            openTypes.removeAll { $0.depth >= depth }
            if let function = openFunction, function.depth >= depth { openFunction = nil }
        }
        let texts = Self.literals(in: code)
        let words = Self.words(in: code)
        if let (names, superclass) = Self.type(in: words, code) {
            openTypes.append((names, depth))
            types.append(typeNames)
            if let superclass, let name = names.last { superclasses[name] = superclass }
        }
        if let name = Self.function(in: code) {
            openFunction = (name, depth)
            let isTest = name.hasPrefix("test") || hasTestAttribute || code.contains("@Test")
            functions.append(Function(types: typeNames, name: name, line: line, isTest: isTest))
            hasTestAttribute = false
            for literal in attributed { add(literal.text, literal.line) }
            attributed = []
        } else if code.hasPrefix("@"), openFunction == nil {
            attributed += texts.map { ($0, line) }
            hasTestAttribute = hasTestAttribute || code.hasPrefix("@Test")
            return
        }
        for text in texts { add(text, line) }
    }

    private mutating func add(_ text: String, _ line: Int) {
        literals.append(Literal(types: typeNames, function: openFunction?.name, text: text, line: line))
    }

    /// Whether a line only closes something, as in `) {` after parameters on lines of their own.
    private static func closes(_ code: Substring) -> Bool { code.hasPrefix(")") || code.hasPrefix("]") }

    private static func words(in code: Substring) -> [Substring] {
        code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." && $0 != ":" && $0 != "{" }
    }

    private static let keywords: Set<Substring> = ["class", "struct", "enum", "actor", "extension"]

    /// The name of a declared type, and the first type that it inherits from.
    private static func type(in words: [Substring], _ code: Substring) -> (
        names: [String], superclass: String?
    )? {
        guard let position = words.firstIndex(where: keywords.contains), position + 1 < words.count,
            words[..<position].allSatisfy({ !$0.hasSuffix(":") && $0 != "func" && $0 != "case" })
        else { return nil }
        let parts = words[(position + 1)...].joined(separator: " ").split(separator: "{").first ?? ""
        let sides = parts.split(separator: ":", maxSplits: 1).map { $0.split(separator: " ").first ?? "" }
        guard let name = sides.first, name.first?.isUppercase ?? false else { return nil }
        let superclass = words[position] == "class" && sides.count > 1 ? String(sides[1]) : nil
        return (name.split(separator: ".").map(String.init), superclass)
    }

    /// The name of a declared function, also in backticks.
    private static func function(in code: Substring) -> String? {
        guard let start = code.range(of: "func ")?.upperBound else { return nil }
        let before = code[..<start].dropLast(5).last
        guard before == nil || before == " " || before == ")" else { return nil }
        let rest = code[start...].drop { $0 == " " }
        if rest.hasPrefix("`") { return String(rest.dropFirst().prefix { $0 != "`" }) }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : String(name)
    }

    /// The string literals without escapes and interpolations.
    private static func literals(in code: Substring) -> [String] {
        guard code.contains("\""), !code.contains("\\") else { return [] }
        let parts = code.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map {
            String($0.element)
        }
    }
}
