import Foundation

/// Something that is wrong, and where.
struct LintFinding: Hashable, Sendable {
    /// What kind of thing.
    let rule: LintRule
    /// The file; `nil` for standard input.
    let file: URL?
    /// The line, counted from one; `nil` where it is about the whole file.
    var line: Int?
    /// The column, counted from one in Unicode scalars; `nil` where it is about a whole line.
    var column: Int?
    /// What is wrong, without the value of any secret.
    let message: String

    /// The path as it is told, from the working directory where the file is in it.
    var path: String { file?.displayPath ?? "standard input" }

    /// What comes first of two: by file, then by line.
    static func areInOrder(_ left: LintFinding, _ right: LintFinding) -> Bool {
        (left.path, left.line ?? 0, left.column ?? 0) < (right.path, right.line ?? 0, right.column ?? 0)
    }
}
