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
        /// An object ended, or the text did. Its members are in `endedMembers`.
        case objectEnd(object: Int)
    }

    /// An open object or array: numbers only, because frames are copied for every value.
    private struct Frame {
        /// The index of the first member of an object; -1 for an array.
        let first: Int
        /// The index of the nearest member with a role around an object; -1 if there is none.
        let outer: Int
        /// The frame of the innermost object, which may be this one; -1 if there is none.
        let object: Int
        /// The index in an array.
        var index = 0

        var isObject: Bool { first >= 0 }
    }

    private static var deepest: Int { 256 }

    private var json: JSONScanner
    private var frames: [Frame] = []
    private var knownNames = NameMemory<Role>()
    private var tooDeep = 0
    /// The members of all open objects.
    private var members: [Member] = []
    private var ended: (object: Int, first: Int)?
    private let role: (UnsafeRawBufferPointer) -> Role?

    /// Creates a scanner.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - role: Returns the role of a member's name. It is the same for each member of the name.
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
            case JSONByte.openBrace: openObject()
            case JSONByte.openBracket: open(Frame(first: -1, outer: -1, object: innermostObject))
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

    /// The members of the object that ended last, until the next event.
    package var endedMembers: ArraySlice<Member> { ended.map { members[$0.first...] } ?? [] }

    /// The nearest member with a role around the next object.
    private var outer: Int {
        guard innermostObject >= 0 else { return -1 }
        let object = frames[innermostObject]
        guard members.count > object.first, members[members.count - 1].role != nil else { return object.outer }
        return members.count - 1
    }

    private var innermostObject: Int { frames.last?.object ?? -1 }

    private mutating func openObject() {
        open(Frame(first: members.count, outer: outer, object: frames.count))
    }

    private mutating func open(_ frame: Frame) {
        if frames.count < Self.deepest { frames.append(frame) } else { tooDeep += 1 }
    }

    private mutating func close() -> Event? {
        guard tooDeep == 0 else {
            tooDeep -= 1
            return nil
        }
        guard let frame = frames.popLast(), frame.isObject else { return nil }
        ended = (frame.first, frame.first)
        return .objectEnd(object: frame.first)
    }

    private mutating func step() {
        guard tooDeep == 0, let last = frames.last, !last.isObject else { return }
        frames[frames.count - 1].index += 1
    }

    private mutating func string() -> Scalar? {
        let range = json.skipQuotedText()
        json.skipWhiteSpace()
        guard json.next == JSONByte.colon else { return scalar(range, isString: true) }
        guard tooDeep == 0 else { return nil }
        // A member outside of any object, as in a fragment of JSON.
        if frames.isEmpty { openObject() }
        if frames[frames.count - 1].isObject {
            let name = UnsafeRawBufferPointer(rebasing: json.bytes[range])
            members.append(Member(name: range, role: knownNames.role(of: name, role)))
        }
        return nil
    }

    private mutating func scalar(_ range: Range<Int>, isString: Bool) -> Scalar {
        let last = members.count - 1
        guard innermostObject >= 0, case let object = frames[innermostObject], last >= object.first else {
            return Scalar(range: range, isString: isString, member: nil, outer: nil, object: -1)
        }
        if isString, frames[frames.count - 1].isObject { members[last].text = range }
        return Scalar(
            range: range,
            isString: isString,
            member: members[last],
            outer: object.outer < 0 ? nil : members[object.outer],
            object: object.first
        )
    }

    /// The place of the last string or number; after the end of an object, the place of the object.
    package var place: JSONPlace {
        let count = ended?.first ?? members.count
        var steps: [JSONStep] = []
        for (number, frame) in frames.enumerated() {
            guard frame.isObject else {
                steps.append(.index(frame.index))
                continue
            }
            let end = frames[(number + 1)...].first(where: \.isObject)?.first ?? count
            if end > frame.first { steps.append(.name(text(of: members[end - 1].name))) }
        }
        return JSONPlace(steps)
    }

    /// The indexes of the last string or number in the arrays that its member contains.
    package var indexes: [Int] { frames.reversed().prefix { !$0.isObject }.reversed().map(\.index) }

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
        switch byte {
        case JSONByte.zero...JSONByte.nine, JSONByte.minus, UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

/// The roles of the latest short names: most texts repeat a few names very often.
private struct NameMemory<Role> {
    private struct Entry {
        let low: UInt64
        let high: UInt64
        let role: Role?
    }

    private var entries: [Entry?] = []

    /// The role of a name, from a closure if it is not known.
    mutating func role(of name: UnsafeRawBufferPointer, _ find: (UnsafeRawBufferPointer) -> Role?) -> Role? {
        guard name.count < 16 else { return find(name) }
        // The bytes and their number in two words, so that equal words are equal names.
        var low: UInt64 = 0
        var high = UInt64(name.count)
        for index in 0..<min(8, name.count) { low = low << 8 | UInt64(name[index]) }
        if name.count > 8 { for index in 8..<name.count { high = high << 8 | UInt64(name[index]) } }
        if entries.isEmpty { entries = [Entry?](repeating: nil, count: 32) }
        let hash = (low ^ (high &* 31)) &* 0x9E37_79B9_7F4A_7C15
        let slot = Int(hash >> 59)
        if let entry = entries[slot], entry.low == low, entry.high == high { return entry.role }
        let role = find(name)
        entries[slot] = Entry(low: low, high: high, role: role)
        return role
    }
}
