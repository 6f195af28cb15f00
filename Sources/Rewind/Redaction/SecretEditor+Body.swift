import Foundation

extension SecretEditor {
    /// Redacts a body by its media type and by what its text looks like.
    ///
    /// Parts that stand ever deeper in parts are text: each level holds a copy of its own.
    mutating func redact(_ data: Data, mediaType: String?, at place: String, depth: Int = 0) -> Data {
        guard !data.isEmpty, !rules.isEmpty else { return data }
        // Most types are of neither kind, which their letters tell.
        guard let mediaType, mediaType.mayNameForm else { return redactText(data, at: place) }
        let type = MediaType(mediaType)
        let essence = type?.essence ?? ""
        if essence.hasPrefix("multipart/"), depth < Self.deepestParts {
            return redactParts(of: data, boundary: type?.parameters["boundary"], at: place, depth: depth)
        }
        // Platforms name a form's type for any body whose type nobody named.
        if essence == "application/x-www-form-urlencoded", FormFields(data) != nil {
            return redactForm(data, at: place)
        }
        return redactText(data, at: place)
    }

    private mutating func redactText(_ data: Data, at place: String) -> Data {
        guard data.isUTF8 else { return data }
        if rules.hasFinders { enterValues(in: String(decoding: data, as: UTF8.self)) }
        var data = redactMembers(in: data, at: place)
        if data.has("<"), !data.beginsLikeJSON { data = redactElements(in: data, at: place) }
        guard data.has("=") || data.has("@") else { return data }
        let text = String(decoding: data, as: UTF8.self)
        let linked = redactPairs(in: rules.redactsUsers ? redactUsers(in: text, at: place) : text, at: place)
        return linked == text ? data : Data(linked.utf8)
    }

    private static var deepestParts: Int { 8 }

    private mutating func redactParts(of data: Data, boundary: String?, at place: String, depth: Int) -> Data {
        guard let boundary = boundary ?? MultipartContent.boundary(beginning: data),
            let content = MultipartContent(data, boundary: boundary)
        else {
            return redactText(data, at: place)
        }
        var editor = self
        let redacted = content.replacingContents { part in
            editor.redact(part, at: place, depth: depth + 1)
        }
        self = editor
        return redacted
    }

    private mutating func redact(_ part: MultipartContent.Part, at place: String, depth: Int) -> Data? {
        let name = part.name ?? ""
        let place = "\(place) part \(name)"
        if let value = String(wellFormed: part.content), rules.isSecretField(name, value: value, host: host) {
            return placeholder(for: value, name: name, at: place).map { Data($0.text(for: value).utf8) }
        }
        let redacted = redact(part.content, mediaType: part.headers["Content-Type"], at: place, depth: depth)
        return redacted == part.content ? nil : redacted
    }

    /// Redacts the members of JSON, and of what is only like JSON, and leaves every other byte as it is.
    mutating func redactMembers(in data: Data, at place: String, depth: Int = 0) -> Data {
        guard data.has("\"") else { return data }
        // Taken out of the editor, all of which would be copied for each value.
        let (rules, host) = (rules, host)
        var editor = self
        let edits = data.withUnsafeBytes { bytes -> [ByteEdit] in
            var scanner = JSONScalarScanner(bytes)
            var harmless = HarmlessNames()
            var edits: [ByteEdit] = []
            while let scalar = scanner.next() {
                let isNamed = rules.isSecret(scalar, scanner, in: bytes, host: host, &harmless)
                // Most values are neither named nor text in which others stand, and cost no more than this look.
                guard isNamed || rules.hasPaths || scalar.mayHoldOthers(in: bytes) else { continue }
                let edit = editor.edit(scalar, scanner, isNamed: isNamed, in: bytes, at: place, depth: depth)
                if let edit { edits.append(edit) }
            }
            return edits
        }
        self = editor
        return edits.isEmpty ? data : data.withUnsafeBytes { Data($0.applying(edits)) }
    }

    private mutating func edit(
        _ scalar: JSONScalarScanner.Scalar,
        _ scanner: JSONScalarScanner,
        isNamed: Bool,
        in bytes: UnsafeRawBufferPointer,
        at place: String,
        depth: Int
    ) -> ByteEdit? {
        let spelled = UnsafeRawBufferPointer(rebasing: bytes[scalar.range])
        guard isNamed || rules.isSecretPlace(scanner.place, host: host) else {
            guard scalar.mayHoldOthers(in: bytes) else { return nil }
            return nested(scalar, spelled, at: "\(place) \(scanner.place)", depth: depth)
        }
        let place = "\(place) \(scanner.place)"
        guard scalar.isString else {
            note(place)
            return ByteEdit(range: scalar.range, replacement: [UInt8(ascii: "0")])
        }
        let value = JSONText.decoded(spelled)
        let name = scalar.name.map(scanner.text) ?? "secret"
        return placeholder(for: value, name: name, at: place).map { placeholder in
            ByteEdit(range: scalar.range, replacement: Array(placeholder.text(for: value).utf8))
        }
    }

    /// JSON inside of a string, as logs and queues have it.
    private mutating func nested(
        _ scalar: JSONScalarScanner.Scalar,
        _ spelled: UnsafeRawBufferPointer,
        at place: @autoclosure () -> String,
        depth: Int
    ) -> ByteEdit? {
        guard depth < 3, spelled.contains(UInt8(ascii: "\\")) else {
            return nil
        }
        let text = Data(JSONText.decoded(spelled).utf8)
        let redacted = redactMembers(in: text, at: place(), depth: depth + 1)
        guard redacted != text else { return nil }
        let encoded = JSONText.encoded(String(decoding: redacted, as: UTF8.self))
        return ByteEdit(range: scalar.range, replacement: Array(encoded))
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
    /// Whether it may name a media type of forms.
    fileprivate var mayNameForm: Bool {
        // One is `multipart/…`, the other `application/x-www-form-urlencoded`, in letters of any case.
        var last: UInt8 = 0
        for byte in utf8 {
            let letter = byte | 0x20
            if letter == UInt8(ascii: "u"), last == UInt8(ascii: "m") || last == UInt8(ascii: "-") {
                return true
            }
            last = letter
        }
        return false
    }
}

extension SecretRules {
    /// Whether a value of JSON is secret by the name that it stands under.
    fileprivate func isSecret(
        _ scalar: JSONScalarScanner.Scalar,
        _ scanner: JSONScalarScanner,
        in bytes: UnsafeRawBufferPointer,
        host: String,
        _ harmless: inout HarmlessNames
    ) -> Bool {
        guard let range = scalar.name, !range.isEmpty,
            mayBeSecretField(UnsafeRawBufferPointer(rebasing: bytes[range])),
            !harmless.contains(range, in: bytes)
        else {
            return false
        }
        let name = scanner.text(of: range)
        let sample = String(decoding: bytes[scalar.range].prefix(64), as: UTF8.self)
        if isSecretField(name, value: sample, host: host) { return true }
        if !isAmbiguous(name) { harmless.insert(range, in: bytes) }
        return false
    }
}

extension JSONScalarScanner.Scalar {
    /// Whether it is a string that begins as an object or an array does.
    fileprivate func mayHoldOthers(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard isString, !range.isEmpty else { return false }
        return bytes[range.lowerBound] == UInt8(ascii: "{") || bytes[range.lowerBound] == UInt8(ascii: "[")
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

extension Data {
    /// Whether a character of ASCII stands in the bytes.
    fileprivate func has(_ character: Unicode.Scalar) -> Bool {
        withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, Int32(character.value), bytes.count) != nil } ?? false
        }
    }

    /// Whether the bytes begin as a JSON object or array does.
    fileprivate var beginsLikeJSON: Bool {
        let first = first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Whether the bytes are text.
    fileprivate var isUTF8: Bool {
        withUnsafeBytes(WellFormedUTF8.isAll)
    }
}
