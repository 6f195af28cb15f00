import Foundation

/// A block of Swift code in a document, with the settings of a comment before it.
struct Sample {
    /// The line of the document on which the code begins, counted from 1.
    let line: Int
    /// The lines of the code.
    let code: [Substring]
    /// The settings of the comment before the block.
    let note: Note

    /// The settings of a comment `<!-- sample: … -->` for the block after it.
    struct Note {
        /// Whether the code is for another library or a manifest, and is not compiled.
        var isForeign = false
        /// Whether the code is for another library and compiled with stand-ins for it.
        var isRecipe = false
        /// Whether the statements run as a separate test.
        var isRun = false
        /// Declarations that are not visible in the document.
        var declarations: [Substring] = []
    }

    /// Where the code can be compiled, derived from its first line.
    private enum Form {
        case file, members, tests, statements
    }

    private var form: Form {
        let first = code.first {
            !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("//") && !$0.hasPrefix("import ")
        }
        guard let first else { return .file }
        if first.hasPrefix("override ") { return .members }
        if first.hasPrefix("func test") { return .tests }
        let declarations = [
            "@", "actor ", "class ", "enum ", "extension ", "final ", "func ", "private ", "protocol ",
            "public ", "struct ",
        ]
        return declarations.contains(where: first.hasPrefix) ? .file : .statements
    }

    /// The code inside of the declarations it needs, each line with its number in the document.
    /// - Parameters:
    ///   - document: The path of the document, for the errors of the compiler.
    ///   - name: A name for the document that an identifier can contain.
    /// - Returns: The Swift source; empty for code that is not compiled.
    func source(in document: String, named name: String) -> String {
        guard !note.isForeign else { return "" }
        let imports = code.filter { $0.hasPrefix("import ") && (!note.isRecipe || Self.isKnown($0)) }
            .map { "\($0)\n" }.joined()
        let (before, after) = surroundings(named: "\(name)_\(line)")
        return """
            \(imports)\(note.declarations.joined(separator: "\n"))
            \(before)
            #sourceLocation(file: "\(document)", line: \(line))
            \(code.map { $0.hasPrefix("import ") ? "" : Self.withoutEllipsis($0) }.joined(separator: "\n"))
            #sourceLocation()
            \(after)

            """
    }

    /// Whether the module of an import exists here. Stand-ins are in the module of the recipes.
    private static func isKnown(_ line: Substring) -> Bool {
        ["Foundation", "Rewind", "RewindTesting", "Testing"].contains(line.dropFirst("import ".count))
    }

    /// The code before and after each form. Statements can use `configuration` and `stubber`.
    private func surroundings(named name: String) -> (String, String) {
        switch form {
        case .file: ("", "")
        case .members: ("private final class Sample_\(name): CassetteTestCase {", "}")
        case .tests: ("final class Sample_\(name): XCTestCase {", "}")
        case .statements where note.isRun:
            ("final class Sample_\(name): XCTestCase { func testSample() async throws {", "\(uses)}}")
        case .statements:
            (
                "private func sample_\(name)(_ configuration: inout Stubber.Configuration, _ stubber: Stubber)"
                    + " async throws { do {", "\(uses)}}"
            )
        }
    }

    /// A use of each constant, as a sample may end after declaring one.
    private var uses: String {
        code.compactMap { line -> String? in
            guard line.hasPrefix("let ") || line.hasPrefix("var ") else { return nil }
            return line.dropFirst(4).prefix { $0.isLetter || $0.isNumber || $0 == "_" }.description
        }.map { "_ = \($0)\n" }.joined()
    }

    /// A line of code without `…`, which represents code of the reader.
    private static func withoutEllipsis(_ line: Substring) -> String {
        line.replacingOccurrences(of: "…", with: "")
    }
}
