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
/// let text = writer.document()
/// ```
package struct JSONWriter: ~Copyable, Sendable {
    /// The text written so far.
    private var text: TextBuffer

    private enum Place {
        /// A value may stand here without more ado: at the start of the text or after a name.
        case ready
        /// Nothing stands in the container yet.
        case first
        /// Something stands in the container already.
        case later
    }

    /// How many containers the next value stands in.
    private(set) var depth: Int
    private let isOnOneLine: Bool
    private var place = Place.ready

    /// Creates a writer for a value that is to stand at a given depth; its first line is not indented.
    /// - Parameters:
    ///   - depth: How many containers the value stands in.
    ///   - isOnOneLine: Whether all of it stands on one line, which is then no line for a diff.
    ///   - capacity: The number of bytes to make room for.
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

    /// The text written with a line feed at its end.
    package consuming func document() -> Data {
        text.append(JSONByte.lineFeed)
        return text.data()
    }

    /// The text written, as it is.
    package consuming func elements() -> Data { text.data() }

    /// Writes elements of an array that another writer has written for this depth.
    package mutating func elements(_ elements: Data) {
        guard !elements.isEmpty else { return }
        if place == .later { write(",") }
        elements.withUnsafeBytes { write($0) }
        place = .later
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
        text.withUnsafeBytes { write($0) }
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

    /// Writes a member of an object; its name must need no escape.
    package mutating func member(_ name: StaticString, _ value: JSON) {
        beginMember(name)
        self.value(value)
    }

    /// Writes a member of an object whose name may be any.
    package mutating func member(named name: String, _ value: JSON) {
        beginValue()
        writeMemberName(name)
        place = .ready
        self.value(value)
    }

    /// Writes a member of an object that is a text.
    package mutating func member(_ name: StaticString, text: String) {
        beginMember(name)
        writeString(text)
        place = .later
    }

    /// Writes a member of an object that is a text, given in UTF-8.
    package mutating func member(_ name: StaticString, utf8: Data) {
        beginMember(name)
        utf8.withUnsafeBytes { writeString($0) }
        place = .later
    }

    /// Writes an element of an array that is an object of a name and a value, on a line.
    package mutating func pair(_ name: String, _ value: String) {
        beginValue()
        write("{ \"name\": ")
        writeString(name)
        write(", \"value\": ")
        writeString(value)
        write(" }")
        place = .later
    }

    /// Writes a member of an object whose body writes exactly one value.
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
        default:
            writeOnOneLine(value)
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

    /// Adds text that needs no escape.
    @inline(__always)
    fileprivate mutating func write(_ text: StaticString) {
        self.text.append(
            contentsOf: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Adds bytes as they are.
    @inline(__always)
    fileprivate mutating func write(_ text: UnsafeRawBufferPointer) {
        self.text.append(contentsOf: text)
    }

    /// Adds the bytes that a closure writes into some room.
    @inline(__always)
    fileprivate mutating func write(atMost room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        text.append(atMost: room, body)
    }
}

extension JSONWriter {
    /// Writes a value without a line break, and without any white space where it is to be compact.
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

    /// Writes the name of a member and what stands between it and the value.
    fileprivate mutating func writeMemberName(_ name: String) {
        writeString(name)
        write(": ")
    }

    /// Writes a string in quotes; only quotes, backslashes and control characters are escaped.
    fileprivate mutating func writeString(_ string: String) {
        string.withBytes { writeString(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string that is given in UTF-8.
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
    /// Writes the value as a document in the layout of ``JSONWriter``, with a line feed at its end.
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

    /// The value without any white space between its parts, as servers send it.
    package var compactText: Data {
        var writer = JSONWriter()
        writer.writeOnOneLine(self, compactly: true)
        return writer.elements()
    }

    /// Whether the layout of ``JSONWriter`` puts the value on one line.
    fileprivate func standsOnOneLine(asElement isElement: Bool) -> Bool {
        switch self {
        case .array(let elements):
            elements.allSatisfy(\.isScalar)
        case .object(let object):
            object.members.isEmpty
                || isElement && object.members.count <= 2 && object.members.allSatisfy(\.value.isScalar)
        default:
            true
        }
    }

    private var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
