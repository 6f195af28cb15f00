import Foundation

/// A JSON text whose interactions are the elements of one array.
struct JSONEntries {
    let root: JSON
    let entries: [JSONField]

    /// Parses the text and finds the elements of the array at a path of names, the root itself for an empty one.
    init(_ data: Data, at path: [String]) throws {
        do {
            let document = try JSONDocument(parsing: data, rangesOfElementsAt: path)
            root = document.root
            let array = path.reduce(root as JSON?) { $0?[$1] }?.arrayValue
            guard let array else {
                throw CassetteProblem.structure(
                    place: path.isEmpty ? "the first line" : "`\(path.joined(separator: "."))`",
                    cause: "expected an array"
                )
            }
            entries = zip(array, document.elementRanges).enumerated().map { index, element in
                JSONField(element.0, place: .text(index, range: element.1, of: data))
            }
        } catch let error as JSONError {
            throw CassetteProblem(error)
        }
    }
}

extension CassetteProblem {
    /// The place and cause of an error of JSON's grammar.
    init(_ error: JSONError) {
        self = .syntax(line: error.line, column: error.column, cause: "\(error.problem)")
    }
}
