import Foundation

/// Writes JSON text value by value: two spaces a level, one element or member a line.
///
/// Two kinds of values stand on one line, so that a header or a range is one line of a diff: an array that
/// holds only scalars, and an object that is the element of an array and holds one or two members, all scalars.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { log in
///     log.member("version", "1.2")
///     log.member("entries") { $0.array { $0.verbatim(entry) } }
/// }
/// let text = writer.document
/// ```
package struct JSONWriter: Sendable {
    /// The text written so far.
    package private(set) var bytes: [UInt8] = []

    private enum Place {
        /// A value may stand here without more ado: at the start of the text or after a name.
        case ready
        /// Nothing stands in the container yet.
        case first
        /// Something stands in the container already.
        case later
    }

    private var depth: Int
    private var place = Place.ready

    /// Creates a writer for a value that is to stand at a given depth; its first line is not indented.
    package init(depth: Int = 0, reservingCapacity capacity: Int = 0) {
        self.depth = depth
        bytes.reserveCapacity(capacity)
    }

    /// The text written so far with a line feed at its end.
    package var document: Data {
        var data = Data(capacity: bytes.count + 1)
        data.append(contentsOf: bytes)
        data.append(JSONByte.lineFeed)
        return data
    }

    /// Writes a value that is the document, the next element of an array, or the value of a member.
    package mutating func value(_ value: JSON) {
        let isElement = place != .ready
        beginValue()
        if value.standsOnOneLine(asElement: isElement) {
            writeOnOneLine(value)
        } else {
            writeOnLines(value)
        }
        place = .later
    }

    /// Writes JSON text in place of a value, byte for byte.
    package mutating func verbatim(_ text: Data) {
        beginValue()
        bytes.append(contentsOf: text)
        place = .later
    }

    /// Writes an array whose elements the body writes one after the other.
    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        begin(JSONByte.openBracket)
        try elements(&self)
        end(JSONByte.closeBracket)
    }

    /// Writes an object whose members the body writes one after the other.
    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        begin(JSONByte.openBrace)
        try members(&self)
        end(JSONByte.closeBrace)
    }

    /// Writes a member of an object.
    package mutating func member(_ name: String, _ value: JSON) {
        beginMember(name)
        self.value(value)
    }

    /// Writes a member of an object whose body writes exactly one value.
    package mutating func member(_ name: String, _ value: (inout JSONWriter) throws -> Void) rethrows {
        beginMember(name)
        try value(&self)
    }

    private mutating func writeOnLines(_ value: JSON) {
        place = .ready
        switch value {
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let object):
            self.object { writer in
                for member in object.members { writer.member(member.name, member.value) }
            }
        default:
            writeOnOneLine(value)
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        depth += 1
        place = .first
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if place != .first { beginLine() }
        bytes.append(bracket)
        place = .later
    }

    private mutating func beginMember(_ name: String) {
        beginValue()
        writeMemberName(name)
        place = .ready
    }

    private mutating func beginValue() {
        if place == .later { bytes.append(JSONByte.comma) }
        if place != .ready { beginLine() }
    }

    private mutating func beginLine() {
        bytes.append(JSONByte.lineFeed)
        bytes.append(contentsOf: repeatElement(JSONByte.space, count: 2 * depth))
    }

    /// Adds bytes as they are.
    mutating func write(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
    }
}
