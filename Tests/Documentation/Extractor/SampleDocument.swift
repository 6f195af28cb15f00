import Foundation

/// A Markdown document and its blocks of Swift code.
struct SampleDocument {
    private let path: String
    private let lines: [Substring]

    /// Creates a document from its text.
    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// A Swift file with the recipes of the document, or with all other samples.
    func source(recipes: Bool) -> String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            .map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        let modules = recipes ? [] : ["RewindServer", "RewindTesting", "RewindXCTest"]
        let head = (["Foundation"] + modules).map { "import \($0)\n" }.joined()
        let network = "#if canImport(FoundationNetworking)\n    import FoundationNetworking\n#endif\n"
        return head + network
            + samples.filter { $0.note.isRecipe == recipes }.map { $0.source(in: path, named: name) }.joined()
    }

    /// The blocks of Swift code, in order.
    var samples: [Sample] {
        var samples: [Sample] = []
        var note = Sample.Note()
        var index = 0
        while index < lines.count {
            let line = lines[index]
            if line.hasPrefix("<!-- sample:") {
                let end = lines[index...].firstIndex { $0.hasSuffix("-->") } ?? lines.count - 1
                note = Self.note(lines[index...end])
                index = end + 1
            } else if line.hasPrefix("```") {
                let end = lines[(index + 1)...].firstIndex { $0.hasPrefix("```") } ?? lines.count
                if line == "```swift" {
                    samples.append(Sample(line: index + 2, code: Array(lines[(index + 1)..<end]), note: note))
                }
                note = Sample.Note()
                index = end + 1
            } else {
                if !line.isEmpty { note = Sample.Note() }
                index += 1
            }
        }
        return samples
    }

    /// Parses a comment: a word in its first line is the setting of the block, the other lines are declarations.
    private static func note(_ comment: ArraySlice<Substring>) -> Sample.Note {
        var note = Sample.Note()
        let first = comment.first ?? ""
        note.isForeign = first.contains("other library") || first.contains("manifest")
        note.isRecipe = first.contains("recipe")
        note.isRun = first.contains("run")
        note.declarations = comment.dropFirst().filter { $0 != "-->" }
        return note
    }
}
