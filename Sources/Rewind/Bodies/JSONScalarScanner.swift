/// Finds the strings and numbers in JSON text and in text that only resembles JSON, with their places. It accepts
/// invalid JSON, such as events of a stream, JSON lines or a truncated body, because these contain secrets too.
package struct JSONScalarScanner {
    /// A string or a number that is not a member's name. It consists of numbers only, because in debug builds copies of
    /// other values take most of the time.
    package struct Scalar {
        /// The content, without quotes.
        package let range: Range<Int>
        package let isString: Bool
        /// The innermost member that contains it, directly or in arrays; -1 if there is none. See ``member(_:)``.
        package let member: Int
        /// The number of the role of the member; -1 if it has none.
        package let role: Int
        /// The nearest member with a role around the innermost object; -1 if there is none.
        package let outer: Int
        /// The number of the role of the outer member; -1 if there is none.
        package let outerRole: Int
        /// Identifies the innermost object among those that are open.
        package let object: Int
    }

    package struct Member {
        package let name: Range<Int>
        /// The number of its role; -1 if its name says nothing.
        package let role: Int
        /// The string that is the member's value; `nil` for any other value.
        package fileprivate(set) var text: Range<Int>?
    }

    package enum Event {
        case scalar(Scalar)
        /// An object ended, or the text did. Its members are ``endedMembers``.
        case objectEnd(object: Int)
    }

    /// An open object or array.
    private struct Frame {
        let isObject: Bool
        /// The index of the last element, in an array.
        var index = 0
        /// The index of the first member of the innermost object; -1 outside of objects.
        let first: Int
        /// The nearest member with a role around the innermost object; -1 if there is none.
        let outer: Int
    }

    private static var deepest: Int { 256 }

    private var json: JSONScanner
    private var frames: [Frame] = []
    private var tooDeep = 0
    /// The members of all open objects.
    private var members: [Member] = []
    /// The index of the first member of the object that ended last; -1 after any other event.
    private var ended = -1
    private let role: (UnsafeRawBufferPointer) -> Int?

    /// Creates a scanner.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - role: Returns the number of the role of a member's name; called once for each name.
    package init(_ bytes: UnsafeRawBufferPointer, role: @escaping (UnsafeRawBufferPointer) -> Int?) {
        json = JSONScanner(bytes)
        self.role = role
    }

    package mutating func next() -> Event? {
        if ended >= 0 {
            members.removeLast(members.count - ended)
            ended = -1
        }
        // Local copies, because the scanner's own position would be written back for every byte.
        let bytes = json.bytes
        var index = json.position
        while let next = Self.tokenBytes.first(in: bytes, from: index) {
            index = next
            let byte = bytes[index]
            switch byte {
            case 0x7B: open(isObject: true)
            case 0x5B: open(isObject: false)
            case 0x7D, 0x5D:
                if let event = close() {
                    json.position = index &+ 1
                    return event
                }
            case 0x2C: step()
            case 0x22:
                json.position = index
                if let scalar = string() { return .scalar(scalar) }
                index = json.position
                continue
            default:
                if Self.numberStarts.contains(byte) {
                    let number = Self.numberBytes.end(in: bytes, from: index, atMost: .max)
                    json.position = number
                    return .scalar(scalar(index..<number, isString: false))
                }
                // Digits in a word, as in `sha256`, are not a number.
                index = Self.wordBytes.end(in: bytes, from: index, atMost: .max)
                continue
            }
            index &+= 1
        }
        index = bytes.count
        json.position = index
        while !frames.isEmpty {
            if let event = close() { return event }
        }
        return nil
    }

    package mutating func nextScalar() -> Scalar? {
        while let event = next() {
            if case .scalar(let scalar) = event { return scalar }
        }
        return nil
    }

    private mutating func open(isObject: Bool) {
        guard frames.count < Self.deepest else {
            tooDeep += 1
            return
        }
        var (first, outer) = (-1, -1)
        if !frames.isEmpty {
            let last = frames[frames.count - 1]
            (first, outer) = (last.first, last.outer)
        }
        guard isObject else { return frames.append(Frame(isObject: false, first: first, outer: outer)) }
        // The nearest member with a role around the object.
        let last = members.count - 1
        if first >= 0, last >= first, members[last].role >= 0 { outer = last }
        frames.append(Frame(isObject: true, first: members.count, outer: outer))
    }

    private mutating func close() -> Event? {
        guard tooDeep == 0 else {
            tooDeep -= 1
            return nil
        }
        guard let frame = frames.popLast(), frame.isObject else { return nil }
        let first = frame.first
        ended = first
        return .objectEnd(object: first)
    }

    private mutating func step() {
        let last = frames.count - 1
        guard tooDeep == 0, last >= 0, !frames[last].isObject else { return }
        frames[last].index += 1
    }

    private mutating func string() -> Scalar? {
        let range = json.skipQuotedText()
        json.skipWhiteSpace()
        guard json.next == JSONByte.colon else { return scalar(range, isString: true) }
        guard tooDeep == 0 else { return nil }
        // A member outside of any object, as in a fragment of JSON.
        if frames.isEmpty { frames.append(Frame(isObject: true, first: members.count, outer: -1)) }
        if frames[frames.count - 1].isObject {
            let name = UnsafeRawBufferPointer(rebasing: json.bytes[range])
            members.append(Member(name: range, role: role(name) ?? -1))
        }
        return nil
    }

    private mutating func scalar(_ range: Range<Int>, isString: Bool) -> Scalar {
        let last = members.count - 1
        var (first, outer) = (-1, -1)
        if !frames.isEmpty {
            let frame = frames[frames.count - 1]
            (first, outer) = (frame.first, frame.outer)
            if isString, frame.isObject, last >= first { members[last].text = range }
        }
        guard first >= 0, last >= first else {
            return Scalar(
                range: range,
                isString: isString,
                member: -1,
                role: -1,
                outer: -1,
                outerRole: -1,
                object: -1
            )
        }
        return Scalar(
            range: range,
            isString: isString,
            member: last,
            role: members[last].role,
            outer: outer,
            outerRole: outer < 0 ? -1 : members[outer].role,
            object: first
        )
    }

    /// A member of an open object, or of the one that ended last; `nil` for a negative number.
    package func member(_ number: Int) -> Member? { number < 0 ? nil : members[number] }

    /// The members of the object that ended last.
    package var endedMembers: ArraySlice<Member> { ended < 0 ? [] : members[ended...] }

    /// The place of the last string or number; after the end of an object, the place of the object.
    package var place: JSONPlace {
        let count = ended < 0 ? members.count : ended
        var steps: [JSONStep] = []
        for (number, frame) in frames.enumerated() {
            guard frame.isObject else {
                steps.append(.index(frame.index))
                continue
            }
            let end = frames[(number + 1)...].first { $0.isObject }?.first ?? count
            if end > frame.first { steps.append(.name(text(of: members[end - 1].name))) }
        }
        return JSONPlace(steps)
    }

    /// The indexes of the last string or number in the arrays that its member contains.
    package var indexes: [Int] {
        frames.reversed().prefix { !$0.isObject }.reversed().map(\.index)
    }

    /// The place of a string or number in the object that ended last.
    package func place(of scalar: Scalar, at indexes: [Int]) -> JSONPlace {
        let name = member(scalar.member).map { [JSONStep.name(text(of: $0.name))] } ?? []
        return JSONPlace(place.steps + name + indexes.map(JSONStep.index))
    }

    package func text(of range: Range<Int>) -> String {
        JSONEscapes.decodedIfValid(UnsafeRawBufferPointer(rebasing: json.bytes[range]))
    }

    private static let letters = ByteSet(ByteSet.letters + "_").withOthers
    private static let numberStarts = ByteSet("-0123456789")
    private static let numberBytes = ByteSet("0123456789-+.eE")
    private static let wordBytes = letters.union(numberBytes)
    private static let tokenBytes = ByteSet("{}[],\"").union(letters).union(numberStarts)
}
