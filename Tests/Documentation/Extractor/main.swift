import Foundation

// `ExtractSamples DOCUMENT OUTPUT` writes the Swift code of a document to a Swift file.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let input = arguments.first, let output = arguments.last else {
    FileHandle.standardError.write(Data("usage: ExtractSamples DOCUMENT OUTPUT\n".utf8))
    exit(64)
}
let document = SampleDocument(path: input, text: try String(contentsOfFile: input, encoding: .utf8))
try Data(document.source.utf8).write(to: URL(fileURLWithPath: output))
