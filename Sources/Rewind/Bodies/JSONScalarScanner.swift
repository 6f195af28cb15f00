/// Finds the strings and numbers in JSON text, and in text that is only like JSON, with where each of them stands.
///
/// It takes what it can from text that breaks the grammar, such as events of a stream, lines of JSON or a body that
/// was cut, for a secret there is one all the same.
package struct JSONScalarScanner {
    /// A string or a number that is no member's name.
    package struct Scalar {
        /// Where it stands in the bytes, without quotes.
        package let range: Range<Int>
        /// Whether it is a string.
        package let isString: Bool
        /// Where the name of the innermost member stands that it belongs to, through any arrays.
        package let name: Range<Int>?
    }

    /// An object with the place of the name whose value is due, or an array with the index that is.
    private enum Frame {
        case object(name: Range<Int>?)
        case array(index: Int)
    }

    private static let deepest = 256

    private var json: JSONScanner
    private var frames: [Frame] = []
    private var tooDeep = 0

    /// Creates a scanner at the start of a text.
    package init(_ bytes: UnsafeRawBufferPointer) { json = JSONScanner(bytes) }

    /// The next string or number.
    package mutating func next() -> Scalar? {
        // A copy of the place goes along, as the scanner's own would be written back for every byte.
        let bytes = json.bytes
        var index = json.position
        while index < bytes.count {
            switch bytes[index] {
            case JSONByte.openBrace: open(.object(name: nil))
            case JSONByte.openBracket: open(.array(index: 0))
            case JSONByte.closeBrace, JSONByte.closeBracket: close()
            case JSONByte.comma: step()
            case JSONByte.quote:
                json.position = index
                if let scalar = string() { return scalar }
                index = json.position
                continue
            case JSONByte.minus, JSONByte.zero...JSONByte.nine:
                let start = index
                while index < bytes.count, Self.isNumberByte(bytes[index]) { index &+= 1 }
                json.position = index
                return scalar(start..<index, isString: false)
            default: break
            }
            index &+= 1
        }
        json.position = index
        return nil
    }

    // MARK: Containers

    private mutating func open(_ frame: Frame) {
        if frames.count < Self.deepest { frames.append(frame) } else { tooDeep += 1 }
    }

    private mutating func close() {
        if tooDeep > 0 { tooDeep -= 1 } else { _ = frames.popLast() }
    }

    private mutating func step() {
        guard tooDeep == 0 else { return }
        switch frames.last {
        case .array(let index): frames[frames.count - 1] = .array(index: index + 1)
        case .object: frames[frames.count - 1] = .object(name: nil)
        case nil: break
        }
    }

    // MARK: Scalars

    private mutating func string() -> Scalar? {
        let range = json.skipQuotedText()
        json.skipWhiteSpace()
        guard json.next == JSONByte.colon else { return scalar(range, isString: true) }
        if case .object = frames.last, tooDeep == 0 {
            frames[frames.count - 1] = .object(name: range)
        } else if frames.isEmpty {
            // A member outside of any object, as in a piece of JSON.
            frames.append(.object(name: range))
        }
        return nil
    }

    private func scalar(_ range: Range<Int>, isString: Bool) -> Scalar {
        for frame in frames.reversed() {
            if case .object(let name?) = frame { return Scalar(range: range, isString: isString, name: name) }
        }
        return Scalar(range: range, isString: isString, name: nil)
    }

    /// Where the last string or number stands in the value.
    package var place: JSONPlace {
        JSONPlace(
            frames.compactMap { frame in
                switch frame {
                case .object(let name): name.map { .name(text(of: $0)) }
                case .array(let index): .index(index)
                }
            }
        )
    }

    /// The text that stands at a place, such as a name.
    package func text(of range: Range<Int>) -> String {
        JSONEscapes.decodedIfValid(UnsafeRawBufferPointer(rebasing: json.bytes[range]))
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        JSONByte.zero...JSONByte.nine ~= byte || "-+.eE".utf8.contains(byte)
    }
}
