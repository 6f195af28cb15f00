extension JSONScanner {
    /// Goes through an array of header fields, and gives name and value of each.
    /// - Parameter body: Takes the name and the value.
    /// - Returns: Whether all of them are as the specification has them: objects with a name and a value.
    /// - Throws: ``Refusal`` where the text breaks the grammar.
    mutating func headerFields(_ body: (JSONSpan, JSONSpan) -> Void) throws(Refusal) -> Bool {
        guard try beginArray(depth: HARScanner.depth) else { return true }
        var isUsual = true
        repeat {
            if let (name, value) = try headerField() { body(name, value) } else { isUsual = false }
        } while try hasMore(before: JSONByte.closeBracket)
        return isUsual
    }

    private mutating func headerField() throws(Refusal) -> (name: JSONSpan, value: JSONSpan)? {
        var (name, value): (JSONSpan?, JSONSpan?)
        var isUsual = isObject
        if isUsual, try beginObject(depth: HARScanner.depth) {
            repeat {
                let member = try self.name()
                let kind = HARMember(member, in: self)
                guard next == JSONByte.quote else {
                    isUsual = isUsual && !member.hasEscapes && kind != .name && kind != .value
                    try self.value(depth: HARScanner.depth)
                    continue
                }
                let text = try string()
                switch kind {
                case .name where name == nil: name = text
                case .value where value == nil: value = text
                case .name, .value: isUsual = false
                default: isUsual = isUsual && !member.hasEscapes
                }
            } while try hasMore(before: JSONByte.closeBrace)
        } else if !isUsual {
            try self.value(depth: HARScanner.depth)
        }
        guard isUsual, let name, let value else { return nil }
        return (name, value)
    }

    /// Goes through the pieces in which a body arrived, and gives time and size of each.
    /// - Parameter body: Takes the time, as it is spelled, and the size.
    /// - Returns: Whether all of them are pairs of such numbers.
    /// - Throws: ``Refusal`` where the text breaks the grammar.
    mutating func chunks(_ body: (JSONSpan, Int) -> Void) throws(Refusal) -> Bool {
        guard try beginArray(depth: HARScanner.depth) else { return true }
        var isUsual = true
        repeat {
            if let (time, count) = try chunk() { body(time, count) } else { isUsual = false }
        } while try hasMore(before: JSONByte.closeBracket)
        return isUsual
    }

    private mutating func chunk() throws(Refusal) -> (time: JSONSpan, count: Int)? {
        guard isArray else {
            try value(depth: HARScanner.depth)
            return nil
        }
        guard try beginArray(depth: HARScanner.depth) else { return nil }
        var (time, count): (JSONSpan?, Int?)
        var index = 0
        repeat {
            if isNumber {
                let number = try number()
                if index == 0, isPlain(number) { time = number }
                if index == 1 { count = wholeNumber(number) }
            } else {
                try value(depth: HARScanner.depth)
            }
            index += 1
        } while try hasMore(before: JSONByte.closeBracket)
        guard index == 2, let time, let count else { return nil }
        return (time, count)
    }

    /// Goes through an array of texts.
    /// - Parameter body: Takes each of them.
    /// - Returns: Whether there is nothing else.
    /// - Throws: ``Refusal`` where the text breaks the grammar.
    mutating func texts(_ body: (JSONSpan) -> Void) throws(Refusal) -> Bool {
        guard try beginArray(depth: HARScanner.depth) else { return true }
        var isUsual = true
        repeat {
            if next == JSONByte.quote {
                body(try string())
            } else {
                isUsual = false
                try value(depth: HARScanner.depth)
            }
        } while try hasMore(before: JSONByte.closeBracket)
        return isUsual
    }

    /// Whether a text is the name of base64, which has no letter case.
    func isBase64(_ encoding: JSONSpan) -> Bool {
        bytes[encoding.range].elementsEqual("base64".utf8) { $0 | 0x20 == $1 | 0x20 }
    }
}
