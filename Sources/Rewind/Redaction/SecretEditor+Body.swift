import Foundation

extension SecretEditor {
    /// Redacts a body by its media type and by what its text looks like.
    mutating func redact(_ data: Data, mediaType: String?, at place: String) -> Data {
        guard !data.isEmpty, !rules.isEmpty else { return data }
        let type = MediaType(mediaType)
        let essence = type?.essence ?? ""
        if essence.hasPrefix("multipart/") {
            return redactParts(of: data, boundary: type?.parameters["boundary"], at: place)
        }
        // Platforms name a form's type for any body whose type nobody named.
        if essence == "application/x-www-form-urlencoded", FormFields(data) != nil {
            return redactForm(data, at: place)
        }
        guard let text = String(wellFormed: data) else { return data }
        return redactText(text, at: place)
    }

    private mutating func redactText(_ text: String, at place: String) -> Data {
        enterValues(in: text)
        var data = redactMembers(in: Data(text.utf8), at: place)
        if text.utf8.contains(UInt8(ascii: "<")) { data = redactElements(in: data, at: place) }
        let isLinked = data.contains(UInt8(ascii: "=")) || data.contains(UInt8(ascii: "@"))
        guard isLinked else { return data }
        let linked = String(decoding: data, as: UTF8.self)
        let users = rules.redactsUsers ? redactUsers(in: linked, at: place) : linked
        return Data(redactPairs(in: users, at: place).utf8)
    }

    private mutating func redactParts(of data: Data, boundary: String?, at place: String) -> Data {
        guard let boundary = boundary ?? MultipartContent.boundary(beginning: data),
            let content = MultipartContent(data, boundary: boundary)
        else {
            return String(wellFormed: data).map { redactText($0, at: place) } ?? data
        }
        var editor = self
        let redacted = content.replacingContents { part in
            editor.redact(part, at: place)
        }
        self = editor
        return redacted
    }

    private mutating func redact(_ part: MultipartContent.Part, at place: String) -> Data? {
        let name = part.name ?? ""
        let place = "\(place) part \(name)"
        if let value = String(wellFormed: part.content), rules.isSecretField(name, value: value, host: host) {
            return placeholder(for: value, name: name, at: place).map { Data($0.text(for: value).utf8) }
        }
        let redacted = redact(part.content, mediaType: part.headers["Content-Type"], at: place)
        return redacted == part.content ? nil : redacted
    }

    /// Redacts the members of JSON, and of what is only like JSON, and leaves every other byte as it is.
    mutating func redactMembers(in data: Data, at place: String, depth: Int = 0) -> Data {
        guard data.contains(UInt8(ascii: "\"")) else { return data }
        var editor = self
        let edits = data.withUnsafeBytes { bytes -> [ByteEdit] in
            var scanner = JSONScalarScanner(bytes)
            var edits: [ByteEdit] = []
            while let scalar = scanner.next() {
                if let edit = editor.edit(scalar, in: bytes, at: place, depth: depth) { edits.append(edit) }
            }
            return edits
        }
        self = editor
        return edits.isEmpty ? data : data.withUnsafeBytes { Data($0.applying(edits)) }
    }

    private mutating func edit(
        _ scalar: JSONScalarScanner.Scalar,
        in bytes: UnsafeRawBufferPointer,
        at place: String,
        depth: Int
    ) -> ByteEdit? {
        let spelled = UnsafeRawBufferPointer(rebasing: bytes[scalar.range])
        let name = scalar.name ?? ""
        // Most members are no secrets, and their values need not be decoded.
        let isNamed = !name.isEmpty && rules.isSecretField(name, value: opaque(spelled), host: host)
        guard isNamed || rules.isSecretPlace(scalar.place, host: host) else {
            return nested(scalar, spelled, at: place, depth: depth)
        }
        guard scalar.isString else {
            note("\(place) \(scalar.place)")
            return ByteEdit(range: scalar.range, replacement: [UInt8(ascii: "0")])
        }
        let value = JSONText.decoded(spelled)
        let called = name.isEmpty ? "secret" : name
        guard let placeholder = placeholder(for: value, name: called, at: "\(place) \(scalar.place)") else {
            return nil
        }
        return ByteEdit(range: scalar.range, replacement: Array(placeholder.text(for: value).utf8))
    }

    /// JSON inside of a string, as logs and queues have it.
    private mutating func nested(
        _ scalar: JSONScalarScanner.Scalar,
        _ spelled: UnsafeRawBufferPointer,
        at place: String,
        depth: Int
    ) -> ByteEdit? {
        guard depth < 3, scalar.isString, let first = spelled.first,
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["), spelled.contains(UInt8(ascii: "\\"))
        else { return nil }
        let text = Data(JSONText.decoded(spelled).utf8)
        let redacted = redactMembers(in: text, at: "\(place) \(scalar.place)", depth: depth + 1)
        guard redacted != text else { return nil }
        let encoded = JSONText.encoded(String(decoding: redacted, as: UTF8.self))
        return ByteEdit(range: scalar.range, replacement: Array(encoded))
    }

    private func opaque(_ spelled: UnsafeRawBufferPointer) -> String {
        spelled.count > 4096 ? String(repeating: "x", count: 16) : String(decoding: spelled, as: UTF8.self)
    }

    /// Redacts the text of XML elements by their names, whatever their namespace.
    private mutating func redactElements(in data: Data, at place: String) -> Data {
        let text = String(decoding: data, as: UTF8.self)
        var edits: [(range: Range<String.Index>, text: String)] = []
        var position = text.startIndex
        while let close = text.range(of: "</", range: position..<text.endIndex) {
            position = close.upperBound
            let name = text[close.upperBound...].prefix { $0 != ">" && !$0.isWhitespace }
            let local = name.split(separator: ":").last.map(String.init) ?? ""
            // Text may hold what ends a tag, but not what begins one.
            guard let open = text[..<close.lowerBound].lastIndex(of: "<"),
                let end = text[open..<close.lowerBound].firstIndex(of: ">")
            else { continue }
            let range = text.index(after: end)..<close.lowerBound
            guard !range.isEmpty, !local.isEmpty,
                rules.isSecretField(local, value: text[range], host: host)
            else { continue }
            let value = String(text[range]).unescapedFromXML
            if let placeholder = placeholder(for: value, name: local, at: "\(place) element \(local)") {
                edits.append((range, placeholder.text(for: value, spelling: .html)))
            }
        }
        return edits.isEmpty ? data : Data(text.applying(edits).utf8)
    }
}

extension String {
    /// The text with the references of XML 1.0 section 4.6 resolved.
    fileprivate var unescapedFromXML: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
