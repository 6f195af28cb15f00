import Foundation

extension SecretEditor {
    /// Redacts `name=value` pairs in the query and the fragment of URLs, wherever in a text these stand.
    ///
    /// A fragment may be made like a query, as OAuth's implicit grant has it (RFC 6749 section 4.2.2).
    mutating func redactPairs(in text: String, at place: @autoclosure () -> String) -> String {
        var edits: [(range: Range<String.Index>, text: String)] = []
        let utf8 = text.utf8
        var position = utf8.startIndex
        while let equals = text.firstIndex(ofByte: UInt8(ascii: "="), from: position) {
            let value = utf8.index(after: equals)
            position = value
            guard let spelled = Self.name(before: equals, in: text), mayBeSecret(spelled) else { continue }
            let name = PercentDecoding.decoded(spelled, plusIsSpace: true) ?? String(spelled)
            let end = utf8[value...].firstIndex(where: Self.endsValue) ?? utf8.endIndex
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

    /// The name that ends before an equals sign, where it begins as an item of a query does.
    private static func name(before equals: String.Index, in text: String) -> Substring? {
        let utf8 = text.utf8
        var start = equals
        var count = 0
        while start > utf8.startIndex {
            let previous = utf8.index(before: start)
            guard isNameByte(utf8[previous]) else { break }
            start = previous
            count += 1
            guard count <= 96 else { return nil }
        }
        guard start < equals else { return nil }
        if start > utf8.startIndex {
            switch utf8[utf8.index(before: start)] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"), 0x0A: break
            default: return nil
            }
        }
        return text[start..<equals]
    }

    /// Whether a name may be secret, which one that is encoded always may.
    private func mayBeSecret(_ name: Substring) -> Bool {
        rules.mayBeSecretField(name.utf8)
            || name.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
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
