import Foundation

extension SecretEditor {
    /// Redacts `name=value` pairs in the query and the fragment of URLs, wherever in a text these stand.
    ///
    /// A fragment may be made like a query, as OAuth's implicit grant has it (RFC 6749 section 4.2.2).
    mutating func redactPairs(in text: String, at place: @autoclosure () -> String) -> String {
        // Most texts have no pair that may be secret, which their bytes tell.
        let names = text.withBytes { Self.names(in: $0, that: rules.mayBeSecretField) }
        var edits: [(range: Range<String.Index>, text: String)] = []
        var position = text.startIndex
        for range in names {
            let spelled = text.part(range)
            guard spelled.startIndex >= position else { continue }
            let value = text.utf8.index(after: spelled.endIndex)
            let end = text.utf8[value...].firstIndex(where: Self.endsValue) ?? text.endIndex
            let name = PercentDecoding.decoded(spelled, plusIsSpace: true) ?? String(spelled)
            if let edit = edit(name: name, value: text[value..<end], at: place()) {
                edits.append((value..<end, edit))
                position = end
            }
        }
        return edits.isEmpty ? text : text.applying(edits)
    }

    /// Redacts the fields of a form.
    mutating func redactForm(_ data: Data, at place: String) -> Data {
        guard var form = FormFields(data) else { return data }
        for index in form.fields.indices {
            let field = form.fields[index]
            guard let spelled = field.spelledValue else { continue }
            if let value = edit(name: field.name, value: Substring(spelled), at: place + " field") {
                form.fields[index].spelledValue = value
            } else if let value = field.value, value.utf8.first == UInt8(ascii: "{") {
                let redacted = redactMembers(in: Data(value.utf8), at: place + " field \(field.name)")
                let text = String(decoding: redacted, as: UTF8.self)
                if text != value { form.fields[index].spelledValue = PercentEncoding.encoded(text) }
            }
        }
        return Data(form.text.utf8)
    }

    /// The new spelling of a value; `nil` where it is no secret.
    private mutating func edit(name: String, value spelled: Substring, at place: String) -> String? {
        guard !spelled.isEmpty else { return nil }
        let value = PercentDecoding.decoded(spelled, plusIsSpace: false) ?? String(spelled)
        guard rules.isSecretField(name, value: value, host: host) else { return nil }
        let label = "\(place) \(name)"
        return placeholder(for: value, name: name, at: label)?.text(for: value, spelling: .percent)
    }

    /// The names before equals signs that begin as items of a query do, and may be secret; those that are encoded always may.
    private static func names(
        in bytes: UnsafeBufferPointer<UInt8>,
        that mayBeSecret: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    ) -> [Range<Int>] {
        var names: [Range<Int>] = []
        var position = 0
        while let equals = bytes.firstIndex(ofByte: UInt8(ascii: "="), from: position) {
            position = equals + 1
            guard let start = start(ofNameBefore: equals, in: bytes) else { continue }
            let name = bytes[start..<equals]
            if mayBeSecret(name) || name.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
            {
                names.append(start..<equals)
            }
        }
        return names
    }

    private static func start(ofNameBefore equals: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var start = equals
        while start > 0, isNameByte(bytes[start - 1]) {
            start -= 1
            guard equals - start <= 96 else { return nil }
        }
        guard start < equals else { return nil }
        if start == 0 { return start }
        switch bytes[start - 1] {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"), 0x0A: return start
        default: return nil
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        Placeholder.isNameByte(byte) || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "$")
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case ...0x20, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: ";"):
            true
        default: false
        }
    }
}

extension String {
    /// What stands at some offsets of its bytes, where characters begin and end.
    fileprivate func part(_ offsets: Range<Int>) -> Substring {
        let start = utf8.index(startIndex, offsetBy: offsets.lowerBound)
        return self[start..<utf8.index(start, offsetBy: offsets.count)]
    }

    /// The text with some ranges replaced, which are in order and do not overlap.
    func applying(_ edits: [(range: Range<String.Index>, text: String)]) -> String {
        guard !edits.isEmpty else { return self }
        var result = ""
        var end = startIndex
        for edit in edits {
            result += self[end..<edit.range.lowerBound]
            result += edit.text
            end = edit.range.upperBound
        }
        result += self[end...]
        return result
    }
}
