import Foundation

/// A block of Swift code in a document, and what is said of it in a comment before it.
struct Sample {
    /// The line of the document on which the code begins, counted from 1.
    let line: Int
    /// The lines of the code.
    let code: [Substring]
    /// What a comment before the block says of it.
    let note: Note

    /// What a comment of the form `<!-- sample: … -->` says of the block after it.
    struct Note {
        /// Whether the code belongs to another library, or to a manifest, and is not compiled.
        var isForeign = false
        /// Whether statements are run, as a test of their own.
        var isRun = false
        /// Declarations that the reader is not shown.
        var declarations: [Substring] = []
    }

    /// Where code can stand, told by its first line.
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

    /// The code where it can be compiled, each line under the number it has in the document.
    /// - Parameters:
    ///   - document: The path of the document, for the errors of the compiler.
    ///   - name: A name for the document that an identifier can contain.
    /// - Returns: The Swift source, empty for code that is not compiled.
    func source(in document: String, named name: String) -> String {
        guard !note.isForeign else { return "" }
        let imports = code.filter { $0.hasPrefix("import ") }.map { "\($0)\n" }.joined()
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

    /// What stands around code of each form; `configuration` and `stubber` are there for statements to use.
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

    /// A use of each constant, as a sample that ends after making one is no mistake.
    private var uses: String {
        code.compactMap { line -> String? in
            guard line.hasPrefix("let ") || line.hasPrefix("var ") else { return nil }
            return line.dropFirst(4).prefix { $0.isLetter || $0.isNumber || $0 == "_" }.description
        }.map { "_ = \($0)\n" }.joined()
    }

    /// A line of code in which `…` stands for code of the reader's own.
    private static func withoutEllipsis(_ line: Substring) -> String {
        line.replacingOccurrences(of: "…", with: "")
    }
}
