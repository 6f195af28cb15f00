import Foundation

// `ExtractSamples DOCUMENT OUTPUT` writes the Swift code of a document to a Swift file, except for recipes, which use
// other libraries. With `--recipes`, writes only those.

let words = CommandLine.arguments.dropFirst()
let arguments = words.filter { $0 != "--recipes" }
guard arguments.count == 2, let input = arguments.first, let output = arguments.last else {
    FileHandle.standardError.write(Data("usage: ExtractSamples [--recipes] DOCUMENT OUTPUT\n".utf8))
    exit(64)
}
let document = SampleDocument(path: input, text: try String(contentsOfFile: input, encoding: .utf8))
try Data(document.source(recipes: words.contains("--recipes")).utf8).write(to: URL(fileURLWithPath: output))
