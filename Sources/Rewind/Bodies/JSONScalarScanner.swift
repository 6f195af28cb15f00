/// Finds the strings and numbers in JSON text and in text that only resembles JSON, with their places. It accepts
/// invalid JSON, such as events of a stream, JSON lines or a truncated body, because these contain secrets too.
package struct JSONScalarScanner<Role> {
    /// A string or a number that is not a member's name.
    package struct Scalar {
        /// The content, without quotes.
        package let range: Range<Int>
        package let isString: Bool
        /// The innermost member that contains it, directly or in arrays.
        package let member: Member?
        /// The nearest member with a role around the innermost object.
        package let outer: Member?
        /// Identifies the innermost object among those that are open.
        package let object: Int
    }

    package struct Member {
        package let name: Range<Int>
        package let role: Role?
        /// The string that is the member's value; `nil` for any other value.
        package fileprivate(set) var text: Range<Int>?
    }

    package enum Event {
        case scalar(Scalar)
        /// An object ended, or the text did.
        case objectEnd(object: Int, members: ArraySlice<Member>)
    }

    private enum Frame {
        /// An object, the index of its first member, and the nearest member with a role around it.
        case object(first: Int, outer: Member?)
        case array(index: Int)
    }

    private static var deepest: Int { 256 }

    private var json: JSONScanner
    private var frames: [Frame] = []
    private var tooDeep = 0
    /// The members of all open objects.
    private var members: [Member] = []
    private var ended: (object: Int, first: Int)?
    private let role: (UnsafeRawBufferPointer) -> Role?

    /// Creates a scanner.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - role: Returns the role of a member's name; called once for each name.
    package init(_ bytes: UnsafeRawBufferPointer, role: @escaping (UnsafeRawBufferPointer) -> Role?) {
        json = JSONScanner(bytes)
        self.role = role
    }

    package mutating func next() -> Event? {
        if let ended {
            members.removeSubrange(ended.first...)
            self.ended = nil
        }
        // A local copy, because the scanner's own position would be written back for every byte.
        let bytes = json.bytes
        var index = json.position
        while index < bytes.count {
            switch bytes[index] {
            case JSONByte.openBrace: open(.object(first: members.count, outer: outer))
            case JSONByte.openBracket: open(.array(index: 0))
            case JSONByte.closeBrace, JSONByte.closeBracket:
                if let event = close() {
                    json.position = index &+ 1
                    return event
                }
            case JSONByte.comma: step()
            case JSONByte.quote:
                json.position = index
                if let scalar = string() { return .scalar(scalar) }
                index = json.position
                continue
            case JSONByte.minus, JSONByte.zero...JSONByte.nine:
                let start = index
                while index < bytes.count, Self.isNumberByte(bytes[index]) { index &+= 1 }
                json.position = index
                return .scalar(scalar(start..<index, isString: false))
            case let byte where Self.isLetter(byte):
                // Digits in a word, as in `sha256`, are not a number.
                while index < bytes.count, Self.isLetter(bytes[index]) || Self.isNumberByte(bytes[index]) {
                    index &+= 1
                }
                continue
            default: break
            }
            index &+= 1
        }
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

    /// The nearest member with a role around the next object.
    private var outer: Member? {
        guard case .object(let first, let outer)? = innermostObject else { return nil }
        guard members.count > first, let last = members.last, last.role != nil else { return outer }
        return last
    }

    private var innermostObject: Frame? {
        frames.last { if case .object = $0 { true } else { false } }
    }

    private mutating func open(_ frame: Frame) {
        if frames.count < Self.deepest { frames.append(frame) } else { tooDeep += 1 }
    }

    private mutating func close() -> Event? {
        guard tooDeep == 0 else {
            tooDeep -= 1
            return nil
        }
        guard case .object(let first, _)? = frames.popLast() else { return nil }
        ended = (first, first)
        return .objectEnd(object: first, members: members[first...])
    }

    private mutating func step() {
        guard tooDeep == 0, case .array(let index)? = frames.last else { return }
        frames[frames.count - 1] = .array(index: index + 1)
    }

    private mutating func string() -> Scalar? {
        let range = json.skipQuotedText()
        json.skipWhiteSpace()
        guard json.next == JSONByte.colon else { return scalar(range, isString: true) }
        guard tooDeep == 0 else { return nil }
        // A member outside of any object, as in a fragment of JSON.
        if frames.isEmpty { frames.append(.object(first: members.count, outer: nil)) }
        if case .object = frames.last {
            let name = UnsafeRawBufferPointer(rebasing: json.bytes[range])
            members.append(Member(name: range, role: role(name)))
        }
        return nil
    }

    private mutating func scalar(_ range: Range<Int>, isString: Bool) -> Scalar {
        guard case .object(let first, let outer)? = innermostObject, members.count > first else {
            return Scalar(range: range, isString: isString, member: nil, outer: nil, object: -1)
        }
        let last = members.count - 1
        if isString, case .object = frames.last { members[last].text = range }
        return Scalar(range: range, isString: isString, member: members[last], outer: outer, object: first)
    }

    /// The place of the last string or number; after the end of an object, the place of the object.
    package var place: JSONPlace {
        let count = ended?.first ?? members.count
        var steps: [JSONStep] = []
        for (number, frame) in frames.enumerated() {
            switch frame {
            case .object(let first, _):
                let next = frames[(number + 1)...].lazy.compactMap { frame -> Int? in
                    if case .object(let first, _) = frame { first } else { nil }
                }.first
                let end = next ?? count
                if end > first { steps.append(.name(text(of: members[end - 1].name))) }
            case .array(let index): steps.append(.index(index))
            }
        }
        return JSONPlace(steps)
    }

    /// The indexes of the last string or number in the arrays that its member contains.
    package var indexes: [Int] {
        frames.reversed().prefix { if case .array = $0 { true } else { false } }.reversed().map { frame in
            if case .array(let index) = frame { index } else { 0 }
        }
    }

    /// The place of a string or number in the object that ended last.
    package func place(of scalar: Scalar, at indexes: [Int]) -> JSONPlace {
        let name = scalar.member.map { [JSONStep.name(text(of: $0.name))] } ?? []
        return JSONPlace(place.steps + name + indexes.map(JSONStep.index))
    }

    package func text(of range: Range<Int>) -> String {
        JSONEscapes.decodedIfValid(UnsafeRawBufferPointer(rebasing: json.bytes[range]))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        JSONByte.zero...JSONByte.nine ~= byte || "-+.eE".utf8.contains(byte)
    }
}
