import Foundation

/// Writes JSON text value by value, with one element or member per line, indented by two spaces per level. Two kinds of
/// values are written on one line, so that a header is one line of a diff: an array of scalars, and an array element that
/// is an object with one or two scalar members.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { log in
///     log.member("version", "1.2")
///     log.member("entries") { $0.array { $0.verbatim(entry) } }
/// }
/// let text = writer.document()
/// ```
package struct JSONWriter: ~Copyable, Sendable {
    private var text: TextBuffer

    private enum Place {
        /// At the start of the text or after the name of a member.
        case ready
        /// Before the first element or member of a container.
        case first
        /// After an element or member.
        case later
    }

    private(set) var depth: Int
    private let isOnOneLine: Bool
    private var place = Place.ready

    /// Creates a writer for a value at a given depth. The first line is not indented.
    package init(depth: Int = 0, onOneLine isOnOneLine: Bool = false, reservingCapacity capacity: Int = 0) {
        self.depth = depth
        self.isOnOneLine = isOnOneLine
        text = TextBuffer(capacity: capacity)
    }

    /// Creates a writer for some elements of an array that another writer has begun at a given depth.
    package init(elementsAtDepth depth: Int, reservingCapacity capacity: Int = 0) {
        self.init(depth: depth, reservingCapacity: capacity)
        place = .first
    }

    /// The text written, with a line feed at its end.
    package consuming func document() -> Data {
        text.append(JSONByte.lineFeed)
        return text.data()
    }

    package consuming func elements() -> Data { text.data() }

    /// Writes elements that another writer has written for this depth.
    package mutating func elements(_ elements: Data) {
        guard !elements.isEmpty else { return }
        if place == .later { write(",") }
        elements.withUnsafeBytes { write($0) }
        place = .later
    }

    package mutating func value(_ value: JSON) {
        let isElement = place != .ready
        beginValue()
        if value.fitsOnOneLine(asElement: isElement) {
            writeOnOneLine(value)
        } else {
            writeOnLines(value)
        }
        place = .later
    }

    /// Writes JSON text as a value, byte for byte.
    package mutating func verbatim(_ text: Data) {
        beginValue()
        text.withUnsafeBytes { write($0) }
        place = .later
    }

    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        begin(JSONByte.openBracket)
        try elements(&self)
        end(JSONByte.closeBracket)
    }

    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        begin(JSONByte.openBrace)
        try members(&self)
        end(JSONByte.closeBrace)
    }

    /// Writes a member whose name needs no escaping.
    package mutating func member(_ name: StaticString, _ value: JSON) {
        beginMember(name)
        self.value(value)
    }

    /// Writes a member with any name.
    package mutating func member(named name: String, _ value: JSON) {
        beginValue()
        writeMemberName(name)
        place = .ready
        self.value(value)
    }

    package mutating func member(_ name: StaticString, text: String) {
        beginMember(name)
        writeString(text)
        place = .later
    }

    package mutating func member(_ name: StaticString, utf8: Data) {
        beginMember(name)
        utf8.withUnsafeBytes { writeString($0) }
        place = .later
    }

    /// Writes an array element on one line: an object with a name and a value.
    package mutating func pair(_ name: String, _ value: String) {
        beginValue()
        write("{ \"name\": ")
        writeString(name)
        write(", \"value\": ")
        writeString(value)
        write(" }")
        place = .later
    }

    /// Writes a member. The closure writes exactly one value.
    package mutating func member(_ name: StaticString, _ value: (inout JSONWriter) throws -> Void) rethrows {
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
                for member in object.members { writer.member(named: member.name, member.value) }
            }
        default: writeOnOneLine(value)
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        beginValue()
        text.append(bracket)
        depth += 1
        place = .first
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if place != .first { beginLine() }
        text.append(bracket)
        place = .later
    }

    private mutating func beginMember(_ name: StaticString) {
        beginValue()
        write("\"")
        write(name)
        write("\": ")
        place = .ready
    }

    private mutating func beginValue() {
        if place == .later { text.append(JSONByte.comma) }
        if place != .ready { beginLine() }
    }

    private mutating func beginLine() {
        guard !isOnOneLine else { return }
        text.append(JSONByte.lineFeed)
        for _ in 0..<depth { write("  ") }
    }

    @inline(__always)
    fileprivate mutating func write(_ text: StaticString) {
        self.text.append(
            contentsOf: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    @inline(__always)
    fileprivate mutating func write(_ text: UnsafeRawBufferPointer) { self.text.append(contentsOf: text) }

    @inline(__always)
    fileprivate mutating func write(atMost room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        text.append(atMost: room, body)
    }

    /// Writes a value without a line break, and without any white space if it is compact.
    fileprivate mutating func writeOnOneLine(_ value: JSON, compactly isCompact: Bool = false) {
        switch value {
        case .null: write("null")
        case .bool(true): write("true")
        case .bool(false): write("false")
        case .number(let number): number.literal.withBytes { write(UnsafeRawBufferPointer($0)) }
        case .string(let string): writeString(string)
        case .array(let elements):
            write("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { write(isCompact ? "," : ", ") }
                writeOnOneLine(element, compactly: isCompact)
            }
            write("]")
        case .object(let object) where isCompact || object.members.isEmpty:
            write("{")
            for (index, member) in object.members.enumerated() {
                if index > 0 { write(",") }
                writeString(member.name)
                write(":")
                writeOnOneLine(member.value, compactly: true)
            }
            write("}")
        case .object(let object):
            for (index, member) in object.members.enumerated() {
                write(index > 0 ? ", " : "{ ")
                writeMemberName(member.name)
                writeOnOneLine(member.value)
            }
            write(" }")
        }
    }

    fileprivate mutating func writeMemberName(_ name: String) {
        writeString(name)
        write(": ")
    }

    /// Writes a string in quotes; only quotes, backslashes and control characters are escaped.
    fileprivate mutating func writeString(_ string: String) {
        string.withBytes { writeString(UnsafeRawBufferPointer($0)) }
    }

    fileprivate mutating func writeString(_ content: UnsafeRawBufferPointer) {
        write("\"")
        var position = JSONPlainRun(in: content, from: 0).end
        write(UnsafeRawBufferPointer(rebasing: content[..<position]))
        while position < content.count {
            let end = min(content.count, position + JSONEscapeEncoder.longest)
            write(atMost: JSONEscapeEncoder.room) { output in
                var encoder = JSONEscapeEncoder(output)
                encoder.encode(UnsafeRawBufferPointer(rebasing: content[position..<end]))
                return encoder.count
            }
            position = end
        }
        write("\"")
    }
}

extension JSON {
    package func serialized() -> Data {
        var writer = JSONWriter()
        writer.value(self)
        return writer.document()
    }

    /// The value on one line, without a line feed.
    package var lineText: Data {
        var writer = JSONWriter()
        writer.writeOnOneLine(self)
        return writer.elements()
    }

    /// The value without white space, as servers send it.
    package var compactText: Data {
        var writer = JSONWriter()
        writer.writeOnOneLine(self, compactly: true)
        return writer.elements()
    }

    fileprivate func fitsOnOneLine(asElement isElement: Bool) -> Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isScalar)
        case .object(let object):
            object.members.isEmpty
                || isElement && object.members.count <= 2 && object.members.allSatisfy(\.value.isScalar)
        default: true
        }
    }

    private var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
