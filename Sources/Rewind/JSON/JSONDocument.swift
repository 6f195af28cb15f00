import Foundation

/// A parsed text, together with where the elements of one of its arrays stand in it.
///
/// With the range of an element, its text can be copied into a new document byte for byte:
///
/// ```swift
/// let document = try JSONDocument(parsing: data, rangesOfElementsAt: ["log", "entries"])
/// let firstEntry = data[document.elementRanges[0]]
/// ```
package struct JSONDocument: Sendable {
    /// The value that the text spells.
    package let root: JSON
    /// The indices into the parsed data of each element, without the white space around it.
    ///
    /// There are none if the path does not lead to an array. Where names are duplicated, the path follows
    /// the last member, as subscripts of ``JSON`` do.
    package let elementRanges: [Range<Int>]

    /// Parses a whole text and notes where the elements of the array at a path of member names stand.
    package init(
        parsing data: Data,
        rangesOfElementsAt path: [String],
        limits: JSONLimits = .default,
        visiting visit: ((JSON, Range<Int>, Int) -> Void)? = nil
    ) throws(JSONError) {
        // The parser's error travels in a result because `withUnsafeBytes` would forget its type.
        self = try data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                var parser = JSONParser(bytes, limits: limits, path: path)
                let root = try parser.document(visit.map(JSONElementVisitor.init))
                let ranges = parser.elementRanges.map { range in
                    range.lowerBound + data.startIndex..<range.upperBound + data.startIndex
                }
                return JSONDocument(root: root, elementRanges: ranges)
            }
        }.get()
    }

    private init(root: JSON, elementRanges: [Range<Int>]) {
        self.root = root
        self.elementRanges = elementRanges
    }
}
