/// The header fields of a request or a response, in order. Duplicates and letter case are preserved.
///
/// Names are compared case-insensitively (RFC 9110 section 5.1).
///
/// ```swift
/// var headers: HeaderList = ["Accept": "text/plain"]
/// headers.append("Set-Cookie", "a=1")
/// headers.append("Set-Cookie", "b=2")
/// headers.values(for: "set-cookie")  // ["a=1", "b=2"]
/// ```
public struct HeaderList: Hashable, Sendable, ExpressibleByDictionaryLiteral, RandomAccessCollection {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name. Its letter case is preserved.
        public var name: String
        /// The value without surrounding white space.
        public var value: String
        /// Whether the value is encoded in ISO 8859-1, the former default of HTTP, and not in UTF-8.
        package var isLatin1 = false

        /// Creates a field from its name and its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in order.
    public var fields: [Field]

    /// Creates a list of fields.
    /// - Parameter fields: The fields, in order; none by default.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The first value of a name. Setting a value replaces all fields of that name; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get { firstPosition { $0.hasName(name) }.map { fields[$0].value } }
        set {
            let position = firstPosition { $0.hasName(name) } ?? fields.endIndex
            removeAll(named: name)
            if let newValue { fields.insert(Field(name: name, value: newValue), at: position) }
        }
    }

    /// All values of a name, in order.
    public func values(for name: String) -> [String] {
        guard let first = firstPosition(where: { $0.hasName(name) }) else { return [] }
        return fields[first...].filter { $0.hasName(name) }.map(\.value)
    }

    /// Adds a field at the end, even if other fields have the same name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes every field of a name.
    package mutating func removeAll(named name: String) {
        guard firstPosition(where: { $0.hasName(name) }) != nil else { return }
        fields.removeAll { $0.hasName(name) }
    }

    /// The position of the first matching field, found without copying fields, which would be most of the cost.
    @inlinable
    package func firstPosition(where isWanted: (Field) -> Bool) -> Int? {
        fields.withUnsafeBufferPointer { fields in
            fields.indices.first { isWanted(fields[$0]) }
        }
    }

    /// The fields as a dictionary, the values of duplicates joined by a comma (RFC 9110 section 5.3).
    package var joined: [String: String] {
        var result: [String: String] = Dictionary(minimumCapacity: fields.count)
        eachField { position, first in
            let field = fields[position]
            if let first {
                result[fields[first].name, default: ""] += ", " + field.value
            } else {
                result[field.name] = field.value
            }
        }
        return result
    }

    /// The values of each name, in order. A name has its first spelling, and names are in order of first use.
    package var grouped: [(name: String, values: [String])] {
        var groups: [(name: String, values: [String])] = []
        var places: [Int: Int] = [:]
        eachField { position, first in
            let field = fields[position]
            if let place = first.flatMap({ places[$0] }) {
                groups[place].values.append(field.value)
            } else {
                places[position] = groups.count
                groups.append((field.name, [field.value]))
            }
        }
        return groups
    }

    /// Visits every position. `first` is the position of the first field of the same name, if that is another one.
    private func eachField(_ body: (_ position: Int, _ first: Int?) -> Void) {
        // Comparing each name with all names before it is fastest for few fields, but far too slow for many.
        var positions: [String: Int]? = fields.count > 64 ? [:] : nil
        for (position, field) in fields.enumerated() {
            var first = 0
            if positions == nil {
                while first < position, !fields[first].hasName(field.name) { first += 1 }
            } else {
                let key = "\(field.name.utf8.count) \(field.name.lowercased())"
                first = positions?[key] ?? position
                positions?[key] = first
            }
            body(position, first < position ? first : nil)
        }
    }

    func adding(contentType: String?) -> HeaderList {
        guard let contentType, self["Content-Type"] == nil else { return self }
        var headers = self
        headers.append("Content-Type", contentType)
        return headers
    }

    /// The fields without pseudo-header fields such as `:status`, which HTTP/2 uses instead of a first line (RFC 9113
    /// section 8.3). Browsers record them.
    package var withoutPseudoFields: HeaderList {
        let first = firstPosition { $0.isPseudo }
        return first == nil ? self : HeaderList(fields.filter { !$0.isPseudo })
    }

    /// Creates a list from names and values, in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0, value: $1) })
    }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderList.Field {
    /// Whether it is a pseudo-header field of HTTP/2 (RFC 9113 section 8.3).
    package var isPseudo: Bool { name.utf8.first == UInt8(ascii: ":") }

    /// Whether it contains a line end or a NUL, which are invalid in a field (RFC 9110 section 5.5).
    package var endsLine: Bool { Self.endsLine(name) || Self.endsLine(value) }

    private static func endsLine(_ text: String) -> Bool {
        text.withBytes { $0.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D } }
    }

    package func hasName(_ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        // Names of equal length mostly differ in the first letter.
        if let left = name.utf8.first, let right = other.utf8.first, left | right < 0x80,
            left | 0x20 != right | 0x20
        {
            return false
        }
        let isSame = name.withBytes { left in other.withBytes { right in Self.isSameName(left, right) } }
        return isSame ?? (name.lowercased() == other.lowercased())
    }

    /// Whether two names of equal length differ only in case; `nil` if a letter is not ASCII.
    private static func isSameName(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
        -> Bool?
    {
        for index in left.indices where left[index] != right[index] {
            let (left, right) = (left[index], right[index])
            guard left | right < 0x80 else { return nil }
            guard left | 0x20 == right | 0x20, UInt8(ascii: "a")...UInt8(ascii: "z") ~= left | 0x20 else {
                return false
            }
        }
        return true
    }
}
