extension HARScanner {
    /// Skips a value that is not usual.
    mutating func oddValue() throws(JSONScanner.Refusal) {
        isUsual = false
        try json.value(depth: Self.depth)
    }

    /// Skips what is `null`, which stands for nothing; all else is not usual.
    mutating func nothing() throws(JSONScanner.Refusal) {
        if json.next != UInt8(ascii: "n") { isUsual = false }
        try json.value(depth: Self.depth)
    }

    /// Skips a text, or the `null` that stands for none.
    @inline(__always)
    mutating func text() throws(JSONScanner.Refusal) -> JSONSpan? {
        if json.next == JSONByte.quote { return try json.string() }
        try nothing()
        return nil
    }

    /// Skips a number, or the `null` that stands for none.
    mutating func number() throws(JSONScanner.Refusal) -> JSONSpan? {
        guard json.isNumber else {
            try nothing()
            return nil
        }
        let number = try json.number()
        if !json.isPlain(number) { isUsual = false }
        return number
    }

    /// Skips a status, or returns 0 where it is no positive whole number.
    mutating func status() throws(JSONScanner.Refusal) -> Int32 {
        guard json.isNumber else {
            try oddValue()
            return 0
        }
        return json.wholeNumber(try json.number()).flatMap { Int32(exactly: $0) } ?? 0
    }

    /// Skips header fields, and returns their offset; 0 stands for none.
    mutating func headers() throws(JSONScanner.Refusal) -> UInt32 {
        guard json.isArray else {
            try nothing()
            return 0
        }
        let start = UInt32(truncatingIfNeeded: json.position)
        if try !json.headerFields({ _, _ in }) { isUsual = false }
        return start
    }

    /// Skips the body of a request.
    mutating func postData(_ message: inout HAROutline.Message) throws(JSONScanner.Refusal) {
        guard json.isObject else { return try nothing() }
        var members = HARMembers()
        var encoding: JSONSpan?
        var ownEncoding: JSONSpan?
        var hasParameters = false
        if try json.beginObject(depth: Self.depth) {
            repeat {
                switch try member(&members) {
                case .text: message.body = try text()
                case .encoding: encoding = try text()
                case ._encoding: ownEncoding = try text()
                case .params where json.isArray:
                    let start = json.position
                    try json.value(depth: Self.depth)
                    hasParameters = json.position > start + 2
                case .params: try nothing()
                default: try json.value(depth: Self.depth)
                }
            } while try json.hasMore(before: JSONByte.closeBrace)
        }
        // Where there is no text, the body stands elsewhere.
        guard let body = message.body, !body.isEmpty || !hasParameters else { return isUsual = false }
        message.isBase64 = isBase64(body, ownEncoding ?? encoding)
    }

    /// Skips the body of a response.
    mutating func content(_ message: inout HAROutline.Message) throws(JSONScanner.Refusal) {
        guard json.isObject else { return try nothing() }
        guard try json.beginObject(depth: Self.depth) else { return }
        var members = HARMembers()
        var encoding: JSONSpan?
        var isElsewhere = false
        repeat {
            switch try member(&members) {
            case .text: message.body = try text()
            case .encoding: encoding = try text()
            case ._file: isElsewhere = true; try json.value(depth: Self.depth)
            case .size: isElsewhere = try size() > 0 || isElsewhere
            default: try json.value(depth: Self.depth)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
        // A size without a text may be that of a body that was not recorded.
        guard let body = message.body else { return isUsual = isUsual && !isElsewhere }
        message.isBase64 = isBase64(body, encoding)
    }

    /// Skips the size of a body, or returns a large one where it is not a whole number.
    private mutating func size() throws(JSONScanner.Refusal) -> Int {
        guard json.isNumber else {
            let isNull = json.next == UInt8(ascii: "n")
            try json.value(depth: Self.depth)
            return isNull ? 0 : .max
        }
        return json.wholeNumber(try json.number()) ?? .max
    }

    /// Whether a body is encoded; what is not plain base64 then has to be read with care.
    private mutating func isBase64(_ body: JSONSpan, _ encoding: JSONSpan?) -> Bool {
        guard let encoding, !encoding.isEmpty else { return false }
        guard !encoding.hasEscapes else {
            isUsual = false
            return false
        }
        guard json.isBase64(encoding) else { return false }
        if body.hasEscapes || !PlainBase64.isValid(json.bytes[body.range]) { isUsual = false }
        return true
    }
}
