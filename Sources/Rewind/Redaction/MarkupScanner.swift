import Foundation

/// Finds tags, attributes and text in XML and HTML, and in text that only resembles them.
struct MarkupScanner: Sequence, IteratorProtocol {
    struct Attribute {
        let name: Range<Int>
        let value: Range<Int>
    }

    enum Event {
        case start(name: Range<Int>, attributes: [Attribute], isClosed: Bool)
        case end(name: Range<Int>)
        case text(Range<Int>)
        case comment(Range<Int>)
        /// The content of a CDATA section, and the whole section.
        case characterData(Range<Int>, section: Range<Int>)
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// Ends that do not occur in the rest of the text, so that it is searched for each of them once.
    private var missing: Set<String> = []

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Event? {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                let start = position
                position = bytes.firstIndex(ofByte: UInt8(ascii: "<"), from: start) ?? bytes.count
                return .text(start..<position)
            }
            if let event = tag() { return event }
        }
        return nil
    }

    /// The tag at the position; `nil` if it has no content.
    private mutating func tag() -> Event? {
        let start = position
        position += 1
        if has("!--", at: position) {
            guard let end = skip(to: "-->", from: position + 3) else { return nil }
            let content = Swift.min(position + 3, end - 3)..<end - 3
            position = end
            return .comment(content)
        }
        if has("![CDATA[", at: position) {
            let content = position + 8
            guard let end = skip(to: "]]>", from: content) else { return nil }
            position = end
            return .characterData(content..<end - 3, section: start..<end)
        }
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "?") || bytes[position] == UInt8(ascii: "!") {
            position = skip(to: ">", from: position) ?? position
            return nil
        }
        if bytes[position] == UInt8(ascii: "/") {
            let name = nameRange(from: position + 1)
            guard !name.isEmpty else { return nil }
            position = skip(to: ">", from: name.upperBound) ?? name.upperBound
            return .end(name: name)
        }
        let name = nameRange(from: position)
        guard !name.isEmpty else { return nil }
        position = name.upperBound
        let (attributes, isClosed) = attributes()
        return .start(name: name, attributes: attributes, isClosed: isClosed)
    }

    private mutating func attributes() -> ([Attribute], isClosed: Bool) {
        var attributes: [Attribute] = []
        var isClosed = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                return (attributes, isClosed)
            case UInt8(ascii: "<"): return (attributes, isClosed)
            case UInt8(ascii: "/"):
                isClosed = true
                position += 1
            default:
                let name = nameRange(from: position)
                guard !name.isEmpty else {
                    position += 1
                    continue
                }
                isClosed = false
                position = name.upperBound
                if let value = attributeValue() { attributes.append(Attribute(name: name, value: value)) }
            }
        }
        return (attributes, isClosed)
    }

    private mutating func attributeValue() -> Range<Int>? {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
        position += 1
        skipSpace()
        guard position < bytes.count else { return nil }
        let quote = bytes[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = position + 1
            guard let end = bytes.firstIndex(ofByte: quote, from: start) else {
                position = bytes.count
                return start..<bytes.count
            }
            position = end + 1
            return start..<end
        }
        let start = position
        while position < bytes.count, bytes[position] > 0x20, bytes[position] != UInt8(ascii: ">") {
            position += 1
        }
        return start..<position
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    private func nameRange(from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, Self.nameBytes.contains(bytes[end]) || bytes[end] >= 0x80 { end += 1 }
        return start..<end
    }

    private func has(_ text: String, at index: Int) -> Bool {
        index <= bytes.count && bytes[index...].starts(with: text.utf8)
    }

    /// The index after a text; `nil` if it does not occur.
    private mutating func skip(to text: String, from start: Int) -> Int? {
        guard !missing.contains(text), let first = text.utf8.first else { return nil }
        var index = start
        while let found = index < bytes.count ? bytes.firstIndex(ofByte: first, from: index) : nil {
            if has(text, at: found) { return found + text.utf8.count }
            index = found + 1
        }
        missing.insert(text)
        return nil
    }

    private static let nameBytes = ByteSet(ByteSet.letters + "0123456789_-.:@#[]")
}
