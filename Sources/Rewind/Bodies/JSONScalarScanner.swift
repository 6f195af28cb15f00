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

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var frames: [Frame] = []
    private var tooDeep = 0

    /// Creates a scanner at the start of a text.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next string or number.
    package mutating func next() -> Scalar? {
        // A copy of the place goes along, as the scanner's own would be written back for every byte.
        let (bytes, count) = (bytes, bytes.count)
        var index = position
        while index < count {
            switch bytes[index] {
            case UInt8(ascii: "{"): open(.object(name: nil))
            case UInt8(ascii: "["): open(.array(index: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
            case UInt8(ascii: ","): step()
            case UInt8(ascii: "\""):
                position = index
                if let scalar = string() { return scalar }
                index = position
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                position = index
                return number()
            default: break
            }
            index &+= 1
        }
        position = index
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
        let (bytes, count) = (bytes, bytes.count)
        let start = position + 1
        var end = start
        while end < count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") { break }
            end &+= byte == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, count)
        position = min(end + 1, count)
        guard isFollowedByColon else { return scalar(start..<end, isString: true) }
        if case .object = frames.last, tooDeep == 0 {
            frames[frames.count - 1] = .object(name: start..<end)
        } else if frames.isEmpty {
            // A member outside of any object, as in a piece of JSON.
            frames.append(.object(name: start..<end))
        }
        return nil
    }

    private mutating func number() -> Scalar? {
        let (bytes, count) = (bytes, bytes.count)
        let start = position
        var end = start
        while end < count, Self.isNumberByte(bytes[end]) { end &+= 1 }
        position = end
        return scalar(start..<end, isString: false)
    }

    private var isFollowedByColon: Bool {
        var index = position
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: ":")
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
        JSONText.decoded(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
