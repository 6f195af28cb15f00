import Foundation

/// A glance at the elements of a property list in XML, before Foundation's parser sees it.
///
/// That parser calls itself for every element within an element, so that a small file could exhaust the stack, and it
/// does not tell where a file that was cut off ends.
struct PropertyListGlance {
    /// The number of elements that may stand inside one another.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    private var start = 0
    private var names: [ArraySlice<UInt8>] = []
    private var hasRoot = false

    /// Checks that every element is closed by its own name, and that nothing is defined that could grow.
    /// - Throws: ``CassetteProblem`` with the line and column.
    static func check(_ data: Data) throws {
        var glance = PropertyListGlance(bytes: [UInt8](data))
        while let tag = try glance.nextTag() { try glance.follow(tag) }
        try glance.finish()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads up to the end of the next tag, comments and character data aside, and returns what is in it.
    private mutating func nextTag() throws -> ArraySlice<UInt8>? {
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            (start, position) = (open, open)
            if try skip(from: "<!--", to: "-->") || skip(from: "<![CDATA[", to: "]]>") { continue }
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) else {
                throw error("the tag has no end")
            }
            position = close + 1
            return bytes[(open + 1)..<close]
        }
        return nil
    }

    private mutating func skip(from opening: String, to closing: String) throws -> Bool {
        guard bytes[position...].starts(with: opening.utf8) else { return false }
        let end = Array(closing.utf8)
        var index = position + opening.utf8.count
        while index + end.count <= bytes.count {
            if bytes[index..<index + end.count].elementsEqual(end) {
                position = index + end.count
                return true
            }
            index += 1
        }
        throw error("what `\(opening)` begins has no end")
    }

    private mutating func follow(_ tag: ArraySlice<UInt8>) throws {
        switch tag.first {
        case UInt8(ascii: "/"):
            let name = tag.dropFirst()
            guard let last = names.popLast(), last == name.prefix(last.count) else {
                throw error(
                    "`</\(String(decoding: name.prefix(40), as: UTF8.self))>` closes nothing that is open"
                )
            }
        case UInt8(ascii: "?"):
            guard Self.isReadable(tag) else { throw error("only UTF-8 is read") }
        case UInt8(ascii: "!"):
            if tag.contains(UInt8(ascii: "[")) { throw error("entities are not read") }
        default:
            hasRoot = true
            guard tag.last != UInt8(ascii: "/") else { break }
            guard names.count < Self.maximumDepth else {
                throw error("nested deeper than \(Self.maximumDepth) levels")
            }
            names.append(tag.prefix { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
        }
    }

    /// Whether a declaration names no encoding in which the bytes would mean other elements than those seen here.
    private static func isReadable(_ declaration: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        return !text.contains("encoding") || text.contains("\"utf-8\"") || text.contains("'utf-8'")
    }

    private mutating func finish() throws {
        start = bytes.count
        if let name = names.last { throw error("`<\(String(decoding: name, as: UTF8.self))>` is not closed") }
        if !hasRoot { throw error("there is no property list") }
    }

    private func error(_ cause: String) -> CassetteProblem {
        let place = bytes.withUnsafeBytes { JSONLocation(of: start, in: $0) }
        return .syntax(line: place.line, column: place.column, cause: cause)
    }
}
