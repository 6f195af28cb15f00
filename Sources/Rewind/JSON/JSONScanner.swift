import Foundation

/// Scans JSON text strictly by RFC 8259. This is the only JSON grammar in the module: it parses values, opens archives,
/// detects formats and finds parts of a text.
struct JSONScanner {
    let bytes: UnsafeRawBufferPointer
    private let maximumDepth: Int
    private var depth = 0
    var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0, limits: JSONLimits = .default) {
        self.bytes = bytes
        self.position = position
        maximumDepth = limits.maximumDepth
    }

    static func reading<Value>(
        _ data: Data,
        limits: JSONLimits = .default,
        _ body: (inout JSONScanner) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        // A `Result`, because `withUnsafeBytes` would erase the type of the error.
        try data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                var scanner = JSONScanner(bytes, limits: limits)
                return try body(&scanner)
            }
        }.get()
    }

    /// The next byte, or 0 at the end of the text. No token begins with 0, so a NUL in the text is an error too.
    @inline(__always) var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func beginDocument() {
        if bytes.starts(with: JSONLocation.byteOrderMark) { position = JSONLocation.byteOrderMark.count }
        skipWhiteSpace()
    }

    mutating func endDocument() throws(JSONError) {
        skipWhiteSpace()
        guard position == bytes.count else { throw error(.textAfterDocument) }
    }

    /// Skips white space, eight spaces at a time, because indented text contains many.
    @inline(__always)
    mutating func skipWhiteSpace() {
        if next <= JSONByte.space { skipSomeWhiteSpace() }
    }

    private mutating func skipSomeWhiteSpace() {
        guard let text = bytes.baseAddress else { return }
        var index = position
        while index < bytes.count {
            if index &+ 8 <= bytes.count {
                let others = EightBytes.load(from: text, at: index) ^ 0x2020_2020_2020_2020
                index &+= others.trailingZeroBitCount &>> 3
                if others == 0 { continue }
            }
            let byte = text.load(fromByteOffset: index, as: UInt8.self)
            if byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { break }
            index &+= 1
        }
        position = index
    }

    mutating func value() throws(JSONError) -> JSON {
        // Scalars are read in another function, because every local variable here uses stack at each level.
        switch next {
        case JSONByte.openBrace: try object()
        case JSONByte.openBracket: try array()
        default: try scalar()
        }
    }

    private mutating func object() throws(JSONError) -> JSON {
        var members: [JSONObject.Member] = []
        guard try beginObject() else { return .object(JSONObject()) }
        // Most objects are headers with two members; growing step by step takes 20 % more time.
        members.reserveCapacity(2)
        repeat {
            let name = try memberName().string
            members.append(JSONObject.Member(name: name, value: try value()))
        } while try hasMoreMembers()
        return .object(JSONObject(members))
    }

    private mutating func array() throws(JSONError) -> JSON {
        var elements: [JSON] = []
        guard try beginArray() else { return .array([]) }
        repeat { elements.append(try value()) } while try hasMoreElements()
        return .array(elements)
    }

    private mutating func scalar() throws(JSONError) -> JSON {
        switch next {
        case JSONByte.quote: .string(try string().string)
        case JSONByte.minus, JSONByte.zero...JSONByte.nine:
            .number(JSONNumber(checkedLiteral: try number().string))
        default: try word()
        }
    }

    mutating func skipValue() throws(JSONError) {
        switch next {
        case JSONByte.quote: _ = try string()
        case JSONByte.openBrace:
            guard try beginObject() else { return }
            repeat {
                _ = try memberName()
                try skipValue()
            } while try hasMoreMembers()
        case JSONByte.openBracket:
            guard try beginArray() else { return }
            repeat { try skipValue() } while try hasMoreElements()
        case JSONByte.minus, JSONByte.zero...JSONByte.nine: _ = try number()
        default: _ = try word()
        }
    }

    private mutating func word() throws(JSONError) -> JSON {
        if skip("true") { return true }
        if skip("false") { return false }
        if skip("null") { return .null }
        throw error(.expectedValue, inside: openConstruct)
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard position &+ count <= bytes.count, let base = bytes.baseAddress,
            memcmp(base + position, word.utf8Start, count) == 0
        else { return false }
        position &+= count
        return true
    }

    var isObject: Bool { next == JSONByte.openBrace }
    var isArray: Bool { next == JSONByte.openBracket }
    var isString: Bool { next == JSONByte.quote }
    var isNumber: Bool { next == JSONByte.minus || JSONByte.zero...JSONByte.nine ~= next }
    var isNull: Bool { next == UInt8(ascii: "n") }

    /// Moves to the first member of the object, or returns `false` after an empty one.
    @inline(__always)
    mutating func beginObject() throws(JSONError) -> Bool { try begin(endingWith: JSONByte.closeBrace) }

    @inline(__always)
    mutating func beginArray() throws(JSONError) -> Bool { try begin(endingWith: JSONByte.closeBracket) }

    private mutating func begin(endingWith end: UInt8) throws(JSONError) -> Bool {
        guard depth < maximumDepth else { throw error(.tooDeep(limit: maximumDepth)) }
        position &+= 1
        skipWhiteSpace()
        if next == end {
            position &+= 1
            return false
        }
        depth &+= 1
        return true
    }

    @inline(__always)
    mutating func memberName() throws(JSONError) -> JSONToken {
        guard isString else { throw error(.expectedName, inside: .object) }
        let name = try string()
        skipWhiteSpace()
        guard next == JSONByte.colon else { throw error(.expectedColon, inside: .object) }
        position &+= 1
        skipWhiteSpace()
        return name
    }

    /// Moves to the next member, or returns `false` after the closing brace.
    @inline(__always)
    mutating func hasMoreMembers() throws(JSONError) -> Bool { try hasMore(before: JSONByte.closeBrace) }

    @inline(__always)
    mutating func hasMoreElements() throws(JSONError) -> Bool { try hasMore(before: JSONByte.closeBracket) }

    @inline(__always)
    private mutating func hasMore(before end: UInt8) throws(JSONError) -> Bool {
        skipWhiteSpace()
        if next == end {
            position &+= 1
            depth &-= 1
            return false
        }
        guard next == JSONByte.comma else {
            throw end == JSONByte.closeBrace
                ? error(.expectedCommaOrEndOfObject, inside: .object)
                : error(.expectedCommaOrEndOfArray, inside: .array)
        }
        let comma = position
        position &+= 1
        skipWhiteSpace()
        if next == end { throw error(.trailingComma, at: comma) }
        return true
    }

    /// Moves to the value of the first member that has one of the names, from the beginning of an object.
    /// - Returns: The name, or `nil` if there is no such member or the value is not an object.
    mutating func find(_ names: [String]) throws(JSONError) -> String? {
        guard isObject, try beginObject() else { return nil }
        repeat {
            let name = try memberName().string
            if names.contains(name) { return name }
            try skipValue()
        } while try hasMoreMembers()
        return nil
    }

    mutating func number() throws(JSONError) -> JSONToken {
        let start = position
        if next == JSONByte.minus { position &+= 1 }
        if next == JSONByte.zero {
            position &+= 1
            if JSONByte.zero...JSONByte.nine ~= next { throw error(.leadingZero, at: position - 1) }
        } else {
            try digits()
        }
        if next == UInt8(ascii: ".") {
            position &+= 1
            try digits()
        }
        if next | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if next == UInt8(ascii: "+") || next == JSONByte.minus { position &+= 1 }
            try digits()
        }
        return token(start..<position, hasEscapes: false)
    }

    private mutating func digits() throws(JSONError) {
        guard JSONByte.zero...JSONByte.nine ~= next else { throw error(.expectedDigit, inside: .number) }
        while JSONByte.zero...JSONByte.nine ~= next { position &+= 1 }
    }

    mutating func string() throws(JSONError) -> JSONToken {
        let start = position &+ 1
        var index = start
        var isASCII = true
        var hasEscapes = false
        while true {
            let run = JSONPlainRun(in: bytes, from: index)
            index = run.end
            isASCII = isASCII && run.isASCII
            guard index < bytes.count, bytes[index] == JSONByte.backslash else { break }
            hasEscapes = true
            index = try endOfEscape(at: index)
        }
        if !isASCII, let place = WellFormedUTF8.firstIllFormedByte(in: bytes, from: start, to: index) {
            throw error(.notUTF8, at: place)
        }
        position = index
        guard next == JSONByte.quote else { throw error(.controlCharacter(next), inside: .string) }
        position &+= 1
        return token(start..<index, hasEscapes: hasEscapes)
    }

    /// Skips a string by its quotes alone, for text that only resembles JSON. The closing quote may be missing.
    /// - Returns: The range of its content.
    mutating func skipQuotedText() -> Range<Int> {
        let start = position &+ 1
        var index = start
        while true {
            index = JSONPlainRun(in: bytes, from: index).end
            guard index < bytes.count, bytes[index] != JSONByte.quote else { break }
            index &+= bytes[index] == JSONByte.backslash ? 2 : 1
        }
        index = min(index, bytes.count)
        position = min(index &+ 1, bytes.count)
        return start..<index
    }

    /// The offset after an escape.
    private func endOfEscape(at index: Int) throws(JSONError) -> Int {
        // If the text ends or a control character follows, the caller reports that, as it is the clearer error.
        guard index &+ 1 < bytes.count, bytes[index &+ 1] >= JSONByte.space else { return index &+ 1 }
        let letter = bytes[index &+ 1]
        if JSONEscapes.byte(forLetter: letter) != nil { return index &+ 2 }
        guard letter == UInt8(ascii: "u") else {
            let start = index + 1
            guard let count = WellFormedUTF8.lengthOfCharacter(in: bytes, at: start, before: bytes.count) else {
                throw error(.notUTF8, at: start)
            }
            let character = String(decoding: bytes[start..<start + count], as: UTF8.self)
            throw error(.invalidEscape(character), at: index)
        }
        for digit in index &+ 2..<index &+ 6 {
            guard digit < bytes.count else { throw error(.unexpectedEnd(inside: .string), at: digit) }
            guard Hexadecimal.isDigitOfEitherCase(bytes[digit]) else {
                throw error(.invalidUnicodeEscape, at: index)
            }
        }
        return index &+ 6
    }

    @inline(__always)
    private func token(_ range: Range<Int>, hasEscapes: Bool) -> JSONToken {
        JSONToken(content: UnsafeRawBufferPointer(rebasing: bytes[range]), hasEscapes: hasEscapes)
    }

    /// Reports a problem at the next byte, or the end of the text if there is none.
    private func error(_ problem: JSONError.Problem, inside construct: JSONError.Construct) -> JSONError {
        error(position < bytes.count ? problem : .unexpectedEnd(inside: construct))
    }

    @inline(never)
    private func error(_ problem: JSONError.Problem, at place: Int? = nil) -> JSONError {
        let offset = place ?? position
        // Text in another encoding violates the grammar first, but the encoding is the actual problem.
        let isUTF8 =
            offset == bytes.count
            || WellFormedUTF8.lengthOfCharacter(in: bytes, at: offset, before: bytes.count) != nil
        let location = JSONLocation(of: offset, in: bytes)
        return JSONError(
            offset: offset,
            line: location.line,
            column: location.column,
            problem: isUTF8 ? problem : .notUTF8
        )
    }

    /// The construct that the expected value belongs to, judged by the byte before it.
    private var openConstruct: JSONError.Construct {
        let blanks = [JSONByte.space, JSONByte.tab, JSONByte.lineFeed, JSONByte.carriageReturn]
        return switch bytes[..<position].last(where: { !blanks.contains($0) }) {
        case JSONByte.colon: .object
        case JSONByte.openBracket, JSONByte.comma: .array
        default: .document
        }
    }
}

/// A number, or the content of a string without its quotes, as it appears in the text.
struct JSONToken {
    let content: UnsafeRawBufferPointer
    let hasEscapes: Bool

    var string: String { hasEscapes ? JSONEscapes.decoded(content) : String(decoding: content, as: UTF8.self) }

    /// The text in UTF-8.
    var data: Data {
        guard hasEscapes, let memory = malloc(content.count) else { return Data(content) }
        // No escape is shorter than what it represents.
        let output = UnsafeMutableRawBufferPointer(start: memory, count: content.count)
        var decoder = JSONEscapeDecoder(content: content, output: output.bindMemory(to: UInt8.self))
        return Data(bytesNoCopy: memory, count: decoder.decode(), deallocator: .free)
    }

    /// Whether a number has no exponent and few digits, so that it cannot be out of range.
    var isPlainNumber: Bool { content.count <= 17 && !content.contains { $0 | 0x20 == UInt8(ascii: "e") } }

    /// Lets a `switch` compare names without creating strings.
    @inline(__always)
    static func ~= (word: StaticString, token: JSONToken) -> Bool {
        guard !token.hasEscapes else { return token.string == word.description }
        guard token.content.count == word.utf8CodeUnitCount, let base = token.content.baseAddress else {
            return false
        }
        return memcmp(base, word.utf8Start, word.utf8CodeUnitCount) == 0
    }
}

enum JSONByte {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var comma: UInt8 { 0x2C }
    static var minus: UInt8 { 0x2D }
    static var zero: UInt8 { 0x30 }
    static var nine: UInt8 { 0x39 }
    static var colon: UInt8 { 0x3A }
    static var backslash: UInt8 { 0x5C }
    static var openBracket: UInt8 { 0x5B }
    static var closeBracket: UInt8 { 0x5D }
    static var openBrace: UInt8 { 0x7B }
    static var closeBrace: UInt8 { 0x7D }
}
