import Foundation

/// Detects JSON formats by their members, reading only the beginning of a text. If the text is invalid there, no format
/// is detected, and the HAR reader reports the error.
enum FormatDetector {
    /// The members of the root object that identify a format.
    enum Mark: String, CaseIterable {
        case log, interactions
        case recordings = "http_interactions"
        case entries
    }

    enum Step {
        case member(String)
        case firstElement
    }

    /// The first identifying member. Finding it takes only the beginning of a large archive.
    static func mark(of data: Data) -> Mark? {
        firstMember(of: Mark.allCases.map(\.rawValue), in: data).flatMap(Mark.init)
    }

    /// The first member with one of the names, in the object at a path.
    static func firstMember(of names: [String], at path: [Step] = [], in data: Data) -> String? {
        try? JSONScanner.reading(data) { (json) throws(JSONError) -> String? in
            json.beginDocument()
            for step in path {
                switch step {
                case .member(let name): guard try json.find([name]) != nil else { return nil }
                case .firstElement: guard json.isArray, try json.beginArray() else { return nil }
                }
            }
            return try json.find(names)
        }
    }

    /// Whether the text begins with a bracket, ignoring white space and a byte order mark.
    static func begins(with bracket: Unicode.Scalar, _ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var json = JSONScanner(bytes)
            json.beginDocument()
            return json.next == UInt8(ascii: bracket)
        }
    }
}

/// The elements of the array that contains the interactions in a JSON text.
struct JSONEntries {
    let root: JSON
    let entries: [JSONField]

    /// Parses the text and finds the elements of the array at a path of names; an empty path is the root.
    init(_ data: Data, at path: [String]) throws {
        do {
            root = try JSON(parsing: data)
            guard let array = path.reduce(root as JSON?, { $0?[$1] })?.arrayValue else {
                throw CassetteError.Problem.structure(
                    place: path.isEmpty ? "the first line" : "`\(path.joined(separator: "."))`",
                    cause: "expected an array"
                )
            }
            let ranges = try Self.ranges(in: data, at: path)
            entries = zip(array, ranges).enumerated().map { index, element in
                JSONField(element.0, place: .text(index, range: element.1, of: data))
            }
        } catch let error as JSONError {
            throw CassetteError.Problem(error)
        }
    }

    /// The range of each element of the array at a path of names, without white space around it; empty if there is no array.
    /// Of members with the same name, the last one counts, as in ``JSON``.
    static func ranges(in data: Data, at path: [String]) throws(JSONError) -> [Range<Int>] {
        try JSONScanner.reading(data) { (json) throws(JSONError) in
            json.beginDocument()
            return try ranges(&json, at: path[...])
        }.map { $0.lowerBound + data.startIndex..<$0.upperBound + data.startIndex }
    }

    private static func ranges(_ json: inout JSONScanner, at path: ArraySlice<String>) throws(JSONError)
        -> [Range<Int>]
    {
        var ranges: [Range<Int>] = []
        if let name = path.first, json.isObject {
            guard try json.beginObject() else { return [] }
            repeat {
                if try json.memberName().string.utf8.elementsEqual(name.utf8) {
                    ranges = try Self.ranges(&json, at: path.dropFirst())
                } else {
                    try json.skipValue()
                }
            } while try json.hasMoreMembers()
        } else if path.isEmpty, json.isArray {
            guard try json.beginArray() else { return [] }
            repeat {
                let start = json.position
                try json.skipValue()
                ranges.append(start..<json.position)
            } while try json.hasMoreElements()
        } else {
            try json.skipValue()
        }
        return ranges
    }
}
