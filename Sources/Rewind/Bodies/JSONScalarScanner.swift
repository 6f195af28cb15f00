/// Finds the strings and numbers in JSON text and in text that only resembles JSON, with their places. It accepts
/// invalid JSON, such as events of a stream, JSON lines or a truncated body, because these contain secrets too.
package struct JSONScalarScanner {
    /// A string or a number that is not a member's name.
    package struct Scalar {
        /// The content, without quotes.
        package let range: Range<Int>
        package let isString: Bool
        /// The name of the innermost member that contains it, directly or in arrays.
        package let name: Range<Int>?
    }

    /// An object with the name whose value comes next, or an array with the next index.
    private enum Frame {
        case object(name: Range<Int>?)
        case array(index: Int)
    }

    private static let deepest = 256

    private var json: JSONScanner
    private var frames: [Frame] = []
    private var tooDeep = 0

    package init(_ bytes: UnsafeRawBufferPointer) { json = JSONScanner(bytes) }

    package mutating func next() -> Scalar? {
        // A local copy, because the scanner's own position would be written back for every byte.
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

    private mutating func string() -> Scalar? {
        let range = json.skipQuotedText()
        json.skipWhiteSpace()
        guard json.next == JSONByte.colon else { return scalar(range, isString: true) }
        if case .object = frames.last, tooDeep == 0 {
            frames[frames.count - 1] = .object(name: range)
        } else if frames.isEmpty {
            // A member outside of any object, as in a fragment of JSON.
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

    /// The place of the last string or number.
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

    package func text(of range: Range<Int>) -> String {
        JSONEscapes.decodedIfValid(UnsafeRawBufferPointer(rebasing: json.bytes[range]))
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        JSONByte.zero...JSONByte.nine ~= byte || "-+.eE".utf8.contains(byte)
    }
}
