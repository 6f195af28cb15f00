/// Goes once through the text of an archive, and notes where its entries and their parts stand.
///
/// It refuses a text that is no archive or an unusual one, which ``HARReader`` then reads with more care and time.
struct HARScanner {
    /// Goes through the text.
    var json: JSONScanner
    /// Whether the entry has, as far as it was seen, each member once, of the right type and of a simple meaning.
    var isUsual = true
    /// The number of entries from which no more are noted.
    private let limit: Int
    private var hasTooMany = false

    /// An entry of the archive.
    enum Entry: Sendable {
        /// One from whose outline an interaction can be made.
        case usual(HAROutline)
        /// One that has to be read with care.
        case unusual(Range<Int>)
    }

    /// What there is in an archive.
    struct Archive: Sendable {
        var entries: [Entry] = []
        /// Where the array of the entries stands, its brackets included.
        var array: Range<Int>
    }

    /// What may be around the deepest member that has a meaning.
    ///
    /// Members are counted as if they stood there: a text that is refused too early only takes more time.
    static let depth = 8

    private init(_ json: JSONScanner, limit: Int) {
        self.json = json
        self.limit = limit
    }

    /// Goes through a whole text, or returns `nil` where it has to be read with care.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - limit: The number of entries that it may have, of which a small file could have many; any by default.
    /// - Returns: What there is in it.
    /// - Throws: ``CassetteProblem/tooLarge(_:)`` where there are more.
    static func archive(in bytes: UnsafeRawBufferPointer, atMost limit: Int = .max) throws(CassetteProblem)
        -> Archive?
    {
        guard let json = try? JSONScanner(bytes) else { return nil }
        var scanner = HARScanner(json, limit: limit)
        let archive = try? scanner.document()
        guard !scanner.hasTooMany else { throw CassetteLimits.tooManyInteractions(limit) }
        return archive
    }

    private mutating func document() throws(JSONScanner.Refusal) -> Archive? {
        if json.bytes.starts(with: JSONLocation.byteOrderMark) {
            json.position = JSONLocation.byteOrderMark.count
        }
        json.skipWhiteSpace()
        guard json.isObject, try json.beginObject(depth: 0) else { return nil }
        var archive: Archive?
        var members = HARMembers()
        repeat {
            if try member(&members) == .log, json.isObject {
                archive = try log()
            } else {
                try json.value(depth: 1)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
        json.skipWhiteSpace()
        return json.position == json.bytes.count && isUsual ? archive : nil
    }

    private mutating func log() throws(JSONScanner.Refusal) -> Archive? {
        guard try json.beginObject(depth: 1) else { return nil }
        var archive: Archive?
        var members = HARMembers()
        repeat {
            if try member(&members) == .entries, json.isArray {
                archive = try entries()
            } else {
                try json.value(depth: 2)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
        return archive
    }

    private mutating func entries() throws(JSONScanner.Refusal) -> Archive {
        let start = json.position
        var entries: [Entry] = []
        let isArchiveUsual = isUsual
        if try json.beginArray(depth: 2) {
            repeat {
                guard entries.count < limit else {
                    hasTooMany = true
                    throw JSONScanner.Refusal()
                }
                entries.append(try entry())
            } while try json.hasMore(before: JSONByte.closeBracket)
        }
        isUsual = isArchiveUsual
        return Archive(entries: entries, array: start..<json.position)
    }

    /// Goes from the name of a member to its value.
    ///
    /// A name with an escape may be any, and of members of one name the last counts: neither is usual.
    @inline(__always)
    mutating func member(_ members: inout HARMembers) throws(JSONScanner.Refusal) -> HARMember? {
        let name = try json.name()
        guard !name.hasEscapes else {
            isUsual = false
            return nil
        }
        guard let member = HARMember(name, in: json) else { return nil }
        if !members.insert(member) { isUsual = false }
        return member
    }
}
