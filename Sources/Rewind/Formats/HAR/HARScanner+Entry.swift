extension HARScanner {
    /// Goes through an entry.
    mutating func entry() throws(JSONScanner.Refusal) -> Entry {
        let start = json.position
        var outline = HAROutline(text: start..<start)
        isUsual = true
        if json.isObject {
            if try json.beginObject(depth: Self.depth) { try members(of: &outline) }
        } else {
            try json.value(depth: Self.depth)
        }
        outline.text = start..<json.position
        return isUsual && outline.isAnswered ? .usual(outline) : .unusual(outline.text)
    }

    private mutating func members(of outline: inout HAROutline) throws(JSONScanner.Refusal) {
        var members = HARMembers()
        repeat {
            switch try member(&members) {
            case .startedDateTime: outline.startedAt = try text()
            case .request:
                if try beginsObject() { try request(&outline) }
            case .response:
                if try beginsObject() { try response(&outline) }
            case .timings:
                if try beginsObject() { try timings(&outline) }
            case ._rewind:
                if try beginsObject() { try own(&outline) }
            default: try json.value(depth: Self.depth)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
    }

    private mutating func request(_ outline: inout HAROutline) throws(JSONScanner.Refusal) {
        var members = HARMembers()
        repeat {
            switch try member(&members) {
            case .method: outline.method = try text()
            case .url: outline.url = try text()
            case .httpVersion: outline.request.httpVersion = try text()
            case .headers: outline.request.headers = try headers()
            case .postData: try postData(&outline.request)
            default: try json.value(depth: Self.depth)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
    }

    private mutating func response(_ outline: inout HAROutline) throws(JSONScanner.Refusal) {
        var members = HARMembers()
        repeat {
            switch try member(&members) {
            case .status: outline.status = try status()
            case .statusText: outline.statusText = try text()
            case .httpVersion: outline.response.httpVersion = try text()
            case .headers: outline.response.headers = try headers()
            case .content: try content(&outline.response)
            default: try json.value(depth: Self.depth)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
    }

    private mutating func timings(_ outline: inout HAROutline) throws(JSONScanner.Refusal) {
        var members = HARMembers()
        repeat {
            switch try member(&members) {
            case .wait: outline.wait = try number()
            case .receive: outline.receive = try number()
            default: try json.value(depth: Self.depth)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
    }

    private mutating func own(_ outline: inout HAROutline) throws(JSONScanner.Refusal) {
        var members = HARMembers()
        repeat {
            let member = try member(&members)
            let start = UInt32(truncatingIfNeeded: json.position)
            switch member {
            case .chunks where json.isArray:
                outline.chunks = start
                isUsual = try json.chunks { _, _ in } && isUsual
            case .redacted where json.isArray:
                outline.redacted = start
                isUsual = try json.texts { _ in } && isUsual
            case .chunks, .redacted, .failure, .fragment: try oddValue()
            default: try json.value(depth: Self.depth)
            }
        } while try json.hasMore(before: JSONByte.closeBrace)
    }

    /// Goes to the first member of an object of an entry; what is none is not usual, and is skipped.
    mutating func beginsObject() throws(JSONScanner.Refusal) -> Bool {
        guard json.isObject else {
            try oddValue()
            return false
        }
        return try json.beginObject(depth: Self.depth)
    }
}

extension HAROutline {
    /// Whether there is a request, and a response to it.
    fileprivate var isAnswered: Bool { method?.isEmpty == false && url?.isEmpty == false && status > 0 }
}
