import Foundation

/// The offsets of the members of one entry in the text of an archive. Offsets count from the start of the entry; 0 means
/// that the member is missing.
struct EntryOffsets: Sendable {
    var text: Range<Int>
    var startedAt: UInt32 = 0
    var request = Message()
    var response = Message()
    var timings = Timings()
    var own = Own()
    /// Whether the entry has a response, all members have the right type and no body is in another file, so that the
    /// interaction can be decoded on demand.
    var isPlain = false
    /// Whether Polly.js wrote the entry, which stores bytes in its own ways.
    var isOfPolly = false

    /// The members of a request or a response. Members of the other one are ignored.
    struct Message: Sendable {
        var object: UInt32 = 0
        var method: UInt32 = 0
        var url: UInt32 = 0
        var status: UInt32 = 0
        var statusText: UInt32 = 0
        var httpVersion: UInt32 = 0
        var headers: UInt32 = 0
        var body = Body()
        /// Whether a header value ends with a content coding whose bytes have no signature: `br` or `deflate`.
        var hasUnmarkedCoding = false
    }

    /// The members of `postData` or `content`.
    struct Body: Sendable {
        var object: UInt32 = 0
        var text: UInt32 = 0
        var encoding: UInt32 = 0
        var ownEncoding: UInt32 = 0
        var file: UInt32 = 0
        var parameters: UInt32 = 0
        var size: UInt32 = 0
        /// Whether the media type is one of bytes that are not text.
        var isBinaryType = false
        /// Whether the text is hexadecimal, which Polly.js marks with `_isBinary`.
        var isHexadecimal = false
    }

    struct Timings: Sendable {
        var object: UInt32 = 0
        var wait: UInt32 = 0
        var receive: UInt32 = 0
    }

    /// The members of `_rewind`.
    struct Own: Sendable {
        var object: UInt32 = 0
        var failure: UInt32 = 0
        var unanswered: UInt32 = 0
        var fragment: UInt32 = 0
        var responseURL: UInt32 = 0
        var decoded: UInt32 = 0
        var chunks: UInt32 = 0
        var redacted: UInt32 = 0
    }
}

/// Scans the text of an archive once, checks its grammar, and stores the offsets of its entries and their members. Of
/// members with the same name, the last one counts, as in ``JSONObject``.
struct ArchiveScanner {
    private var json: JSONScanner
    /// The maximum number of entries to store, because a small file could contain very many.
    private let limit: Int
    /// The start of the current entry.
    private var start = 0
    /// Whether the current entry is plain so far.
    private var isPlain = true
    private(set) var entries: [EntryOffsets] = []
    /// The number of entries, including those above the limit.
    private(set) var count = 0
    /// The array of the entries with its brackets.
    private(set) var entriesRange: Range<Int>?
    /// Whether any entry has a method and a URL, even empty ones.
    private(set) var hasRequest = false

    private init(_ json: JSONScanner, limit: Int) {
        self.json = json
        self.limit = limit
    }

    static func archive(_ text: Data, atMost limit: Int) throws(JSONError) -> ArchiveScanner {
        try JSONScanner.reading(text) { (json) throws(JSONError) in
            var scanner = ArchiveScanner(json, limit: limit)
            try scanner.document()
            return scanner
        }
    }

    static func entry(_ text: Data) throws(JSONError) -> EntryOffsets {
        try JSONScanner.reading(text) { (json) throws(JSONError) in
            var scanner = ArchiveScanner(json, limit: 1)
            scanner.json.beginDocument()
            let entry = try scanner.entry()
            try scanner.json.endDocument()
            return entry
        }
    }

    private mutating func document() throws(JSONError) {
        json.beginDocument()
        if json.isObject {
            guard try json.beginObject() else { return try json.endDocument() }
            repeat {
                switch try json.memberName() {
                case "log": try log()
                default: try json.skipValue()
                }
            } while try json.hasMoreMembers()
        } else {
            try json.skipValue()
        }
        try json.endDocument()
    }

    private mutating func log() throws(JSONError) {
        (entries, count, entriesRange, hasRequest) = ([], 0, nil, false)
        guard json.isObject else { return try json.skipValue() }
        guard try json.beginObject() else { return }
        repeat {
            switch try json.memberName() {
            case "entries": try readEntries()
            default: try json.skipValue()
            }
        } while try json.hasMoreMembers()
    }

    private mutating func readEntries() throws(JSONError) {
        (entries, count, entriesRange, hasRequest) = ([], 0, nil, false)
        guard json.isArray else { return try json.skipValue() }
        let start = json.position
        if try json.beginArray() {
            repeat {
                count += 1
                if count <= limit {
                    entries.append(try entry())
                } else {
                    try json.skipValue()
                }
            } while try json.hasMoreElements()
        }
        entriesRange = start..<json.position
    }

    private mutating func entry() throws(JSONError) -> EntryOffsets {
        (start, isPlain) = (json.position, true)
        var entry = EntryOffsets(text: start..<start)
        var object: UInt32 = 0
        if try beginObject(&object) {
            repeat {
                switch try json.memberName() {
                case "startedDateTime": try text(&entry.startedAt)
                case "request": entry.request = try message(bodyName: "postData")
                case "response": entry.response = try message(bodyName: "content")
                case "timings": entry.timings = try timings()
                case "_rewind": entry.own = try own()
                case "_order":
                    entry.isOfPolly = true
                    try json.skipValue()
                default: try json.skipValue()
                }
            } while try json.hasMoreMembers()
        }
        entry.text = start..<json.position
        let (method, url) = (entry.request.method, entry.request.url)
        hasRequest = hasRequest || isString(at: method) && isString(at: url)
        let hasAnswer = isFilledString(at: method) && isFilledString(at: url) && entry.response.status > 0
        entry.isPlain = isPlain && hasAnswer && !entry.isOfPolly
        return entry
    }

    private func isString(at offset: UInt32) -> Bool {
        offset > 0 && json.bytes[start + Int(offset)] == JSONByte.quote
    }

    private func isFilledString(at offset: UInt32) -> Bool {
        isString(at: offset) && json.bytes[start + Int(offset) + 1] != JSONByte.quote
    }

    private mutating func message(bodyName: StaticString) throws(JSONError) -> EntryOffsets.Message {
        var message = EntryOffsets.Message()
        guard try beginObject(&message.object) else { return message }
        repeat {
            switch try json.memberName() {
            case "method": try text(&message.method)
            case "url": try text(&message.url)
            case "status": try status(&message.status)
            case "statusText": try text(&message.statusText)
            case "httpVersion": try text(&message.httpVersion)
            case "headers":
                // Text may have characters that its charset cannot represent.
                var (mayRefuseText, hasCoding) = (false, false)
                try list(&message.headers) { (json) throws(JSONError) in
                    try json.headerFields { name, value in
                        if HARStoredBody.isUnmarkedCoding(value.content) { hasCoding = true }
                        let isType = name.content.count == 12 && name.string.lowercased() == "content-type"
                        if isType, TextEncoding.mayRefuseText(of: value.string) { mayRefuseText = true }
                    }
                }
                if mayRefuseText { isPlain = false }
                message.hasUnmarkedCoding = hasCoding
            case bodyName: message.body = try body()
            default: try json.skipValue()
            }
        } while try json.hasMoreMembers()
        // Bytes of such a message may be compressed.
        if message.hasUnmarkedCoding, message.body.encoding > 0 { isPlain = false }
        return message
    }

    private mutating func body() throws(JSONError) -> EntryOffsets.Body {
        var body = EntryOffsets.Body()
        guard try beginObject(&body.object) else { return body }
        var (text, encoding, ownEncoding): (JSONToken?, JSONToken?, JSONToken?)
        var isElsewhere = false
        repeat {
            switch try json.memberName() {
            case "text": text = try self.text(&body.text)
            case "encoding": encoding = try self.text(&body.encoding)
            case "_encoding": ownEncoding = try self.text(&body.ownEncoding)
            case "mimeType":
                if json.isString {
                    body.isBinaryType = HARStoredBody.isBinary(mediaType: try json.string())
                } else {
                    try json.skipValue()
                }
            case "_file":
                body.file = offset
                isElsewhere = true
                try json.skipValue()
            case "params":
                body.parameters = offset
                if !json.isArray, !json.isNull { isPlain = false }
                let start = json.position
                try json.skipValue()
                // Parameters are the body if its text is empty.
                isElsewhere = isElsewhere || json.position > start + 2
            case "size":
                // A size without a text may be that of a body that was not recorded.
                body.size = offset
                isElsewhere = try !isNoSize() || isElsewhere
            case "_isBinary":
                body.isHexadecimal = json.next == UInt8(ascii: "t")
                try nothing()
            case "_unknown": try nothing()
            default: try json.skipValue()
            }
        } while try json.hasMoreMembers()
        guard let text, !text.content.isEmpty else {
            if isElsewhere { isPlain = false }
            return body
        }
        let encodings = [encoding, ownEncoding].compactMap { $0 }.filter { !$0.content.isEmpty }
        if encodings.isEmpty {
            // Text of such a type may have lost bytes.
            if body.isBinaryType { isPlain = false }
        } else if !encodings.allSatisfy(Self.isBase64) || text.hasEscapes
            || !PlainBase64.isValid(text.content[...]) || HARStoredBody.mayBeCompressed(base64: text.content)
        {
            // Such a body may be invalid.
            isPlain = false
        }
        return body
    }

    private static func isBase64(_ encoding: JSONToken) -> Bool {
        !encoding.hasEscapes && encoding.content.elementsEqual("base64".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    private mutating func timings() throws(JSONError) -> EntryOffsets.Timings {
        var timings = EntryOffsets.Timings()
        guard try beginObject(&timings.object) else { return timings }
        repeat {
            switch try json.memberName() {
            case "wait": try number(&timings.wait)
            case "receive": try number(&timings.receive)
            default: try json.skipValue()
            }
        } while try json.hasMoreMembers()
        return timings
    }

    private mutating func own() throws(JSONError) -> EntryOffsets.Own {
        var own = EntryOffsets.Own()
        guard try beginObject(&own.object) else { return own }
        repeat {
            switch try json.memberName() {
            case "chunks": try list(&own.chunks) { (json) throws(JSONError) in try json.chunks { _, _ in } }
            case "redacted": try list(&own.redacted) { (json) throws(JSONError) in try json.texts() }
            case "failure": try oddValue(&own.failure)
            case "unanswered": try oddValue(&own.unanswered)
            case "fragment": try oddValue(&own.fragment)
            case "responseURL": try text(&own.responseURL)
            case "decoded": try oddValue(&own.decoded)
            default: try json.skipValue()
            }
        } while try json.hasMoreMembers()
        return own
    }

    /// The distance of the next value from the start of the entry.
    private var offset: UInt32 { UInt32(truncatingIfNeeded: json.position - start) }

    private mutating func oddValue(_ place: inout UInt32) throws(JSONError) {
        place = offset
        isPlain = false
        try json.skipValue()
    }

    /// Skips `null`; any other value is not plain.
    private mutating func nothing() throws(JSONError) {
        if !json.isNull { isPlain = false }
        try json.skipValue()
    }

    /// Goes to the first member of an object; skips any other value.
    private mutating func beginObject(_ place: inout UInt32) throws(JSONError) -> Bool {
        place = offset
        if json.isObject { return try json.beginObject() }
        try nothing()
        return false
    }

    @discardableResult
    private mutating func text(_ place: inout UInt32) throws(JSONError) -> JSONToken? {
        place = offset
        if json.isString { return try json.string() }
        try nothing()
        return nil
    }

    private mutating func number(_ place: inout UInt32) throws(JSONError) {
        place = offset
        guard json.isNumber else { return try nothing() }
        if try !json.number().isPlainNumber { isPlain = false }
    }

    /// Skips a status; it is plain if it is a number of three digits.
    private mutating func status(_ place: inout UInt32) throws(JSONError) {
        guard json.isNumber, json.next != JSONByte.zero else { return try oddValue(&place) }
        place = offset
        let digits = try json.number().content
        if digits.count != 3 || !digits.allSatisfy({ JSONByte.zero...JSONByte.nine ~= $0 }) { isPlain = false }
    }

    /// Skips the size of a body, and returns whether it is null, 0 or -1.
    private mutating func isNoSize() throws(JSONError) -> Bool {
        guard json.isNumber else {
            let isNull = json.isNull
            try json.skipValue()
            return isNull
        }
        let size = try json.number()
        return "0" ~= size || "-1" ~= size
    }

    /// Skips an array; it is plain if its elements are.
    private mutating func list(
        _ place: inout UInt32,
        _ hasPlainElements: (inout JSONScanner) throws(JSONError) -> Bool
    ) throws(JSONError) {
        place = offset
        guard json.isArray else { return try nothing() }
        if try !hasPlainElements(&json) { isPlain = false }
    }
}

extension JSONScanner {
    /// Visits the name and value of each header field.
    /// - Returns: Whether all elements are objects with one name and one value.
    mutating func headerFields(_ body: (JSONToken, JSONToken) -> Void) throws(JSONError) -> Bool {
        try elements { (json) throws(JSONError) in
            var (name, value): (JSONToken?, JSONToken?)
            var isPlain = json.isObject
            guard isPlain, try json.beginObject() else {
                if !isPlain { try json.skipValue() }
                return false
            }
            repeat {
                switch try json.memberName() {
                case "name":
                    isPlain = isPlain && name == nil && json.isString
                    if isPlain { name = try json.string() } else { try json.skipValue() }
                case "value":
                    isPlain = isPlain && value == nil && json.isString
                    if isPlain { value = try json.string() } else { try json.skipValue() }
                case "_encoding":
                    isPlain = false
                    try json.skipValue()
                default: try json.skipValue()
                }
            } while try json.hasMoreMembers()
            guard isPlain, let name, let value else { return false }
            body(name, value)
            return true
        }
    }

    /// Visits the time and the size of each chunk of a body.
    /// - Returns: Whether all elements are pairs of plain numbers.
    mutating func chunks(_ body: (JSONToken, JSONToken) -> Void) throws(JSONError) -> Bool {
        try elements { (json) throws(JSONError) in
            var numbers: [JSONToken] = []
            guard json.isArray else {
                try json.skipValue()
                return false
            }
            let isPlain = try json.elements { (json) throws(JSONError) in
                guard json.isNumber else {
                    try json.skipValue()
                    return false
                }
                numbers.append(try json.number())
                return numbers.last?.isPlainNumber == true
            }
            guard isPlain, numbers.count == 2, !numbers[1].content.contains(UInt8(ascii: ".")) else {
                return false
            }
            body(numbers[0], numbers[1])
            return true
        }
    }

    /// Skips an array, and returns whether it contains only strings.
    mutating func texts() throws(JSONError) -> Bool {
        try elements { (json) throws(JSONError) in
            let isString = json.isString
            try json.skipValue()
            return isString
        }
    }

    /// Visits an array; the closure skips each element and returns whether it is plain.
    @inline(__always)
    private mutating func elements(
        _ isPlain: (inout JSONScanner) throws(JSONError) -> Bool
    ) throws(JSONError) -> Bool {
        guard try beginArray() else { return true }
        var areAllPlain = true
        repeat { areAllPlain = try isPlain(&self) && areAllPlain } while try hasMoreElements()
        return areAllPlain
    }
}
