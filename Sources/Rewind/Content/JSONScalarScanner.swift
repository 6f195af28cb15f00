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
        /// The name of the innermost member that it belongs to, through any arrays.
        package let name: String?
        /// Where it stands in the value.
        package let place: JSONPlace
    }

    private enum Frame {
        case object(name: String?)
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
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): open(.object(name: nil))
            case UInt8(ascii: "["): open(.array(index: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
            case UInt8(ascii: ","): step()
            case UInt8(ascii: "\""):
                if let scalar = string() { return scalar }
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return number()
            default: break
            }
            position += 1
        }
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
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, bytes.count)
        position = min(end + 1, bytes.count)
        guard isFollowedByColon else { return scalar(start..<end, isString: true) }
        let name = JSONText.decoded(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        if case .object = frames.last, tooDeep == 0 {
            frames[frames.count - 1] = .object(name: name)
        } else if frames.isEmpty {
            // A member outside of any object, as in a piece of JSON.
            frames.append(.object(name: name))
        }
        return nil
    }

    private mutating func number() -> Scalar? {
        let start = position
        while position < bytes.count, Self.isNumberByte(bytes[position]) { position += 1 }
        return scalar(start..<position, isString: false)
    }

    private var isFollowedByColon: Bool {
        var index = position
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: ":")
    }

    private func scalar(_ range: Range<Int>, isString: Bool) -> Scalar {
        var name: String?
        var steps: [JSONStep] = []
        for frame in frames {
            switch frame {
            case .object(let member?):
                name = member
                steps.append(.name(member))
            case .object: break
            case .array(let index): steps.append(.index(index))
            }
        }
        return Scalar(range: range, isString: isString, name: name, place: JSONPlace(steps))
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
