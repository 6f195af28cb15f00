import Foundation

extension SecretEditor {
    /// Redacts a body by its media type and its first bytes.
    ///
    /// Parts that are nested too deeply are treated as text, because each level needs a copy.
    func redact(_ data: Data, mediaType: String?, at place: String, depth: Int = 0) -> Data? {
        // Most types are neither multipart nor a form, which their letters show quickly.
        guard let mediaType, mediaType.mayNameForm else { return redactText(data, at: place) }
        let type = MediaType(mediaType)
        let essence = type?.essence ?? ""
        if essence.hasPrefix("multipart/"), depth < Self.deepestParts {
            let boundary = type?.parameters["boundary"] ?? MultipartContent.boundary(beginning: data)
            guard let boundary, let content = MultipartContent(data, boundary: boundary)
            else { return redactText(data, at: place) }
            return content.replacingContents { redact($0, at: place, depth: depth + 1) }
        }
        // Platforms also use this type for bodies that are not forms.
        if essence == "application/x-www-form-urlencoded", let form = redactForm(data, at: place) {
            return form
        }
        return redactText(data, at: place)
    }

    private static var deepestParts: Int { 8 }

    private func redact(_ part: MultipartContent.Part, at place: String, depth: Int) -> Data? {
        let name = part.name ?? ""
        let place = "\(place) part \(name)"
        if let value = String(wellFormed: part.content), rules.isSecretField(name, value: value, host: host) {
            return placeholder(for: value, name: name, at: place).map { Data($0.text(for: value).utf8) }
        }
        let redacted = redact(part.content, mediaType: part.headers["Content-Type"], at: place, depth: depth)
        return redacted == part.content ? nil : redacted
    }

    private func redactText(_ data: Data, at place: String) -> Data? {
        guard data.withUnsafeBytes(WellFormedUTF8.isAll) else { return nil }
        if rules.hasFinders { enterValues(in: String(decoding: data, as: UTF8.self)) }
        var data = data
        var isEdited = data.edit { memberEdits(in: $0, at: place) }
        isEdited = data.edit { elementEdits(in: $0, at: place) } || isEdited
        isEdited = data.edit { userEdits(in: $0, at: place) } || isEdited
        isEdited = data.edit { pairEdits(in: $0, at: place) } || isEdited
        return isEdited ? data : nil
    }

    /// Redacts members of JSON, and of text that resembles JSON. Every other byte stays.
    func memberEdits(in bytes: UnsafeRawBufferPointer, at place: String, depth: Int = 0) -> [ByteEdit] {
        guard bytes.firstIndex(ofByte: UInt8(ascii: "\""), from: 0) != nil else { return [] }
        var scanner = JSONScalarScanner(bytes)
        var edits: [ByteEdit] = []
        while let scalar = scanner.next() {
            let isNamed = isSecret(scalar, scanner, in: bytes)
            // Most values are not secret and contain no JSON, so this check is all they cost.
            guard isNamed || rules.hasPaths || scalar.mayHoldOthers(in: bytes) else { continue }
            if let edit = edit(scalar, scanner, isNamed: isNamed, in: bytes, at: place, depth: depth) {
                edits.append(edit)
            }
        }
        return edits
    }

    private func isSecret(
        _ scalar: JSONScalarScanner.Scalar,
        _ scanner: JSONScalarScanner,
        in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard let range = scalar.name, !range.isEmpty,
            rules.mayBeSecretField(UnsafeRawBufferPointer(rebasing: bytes[range]))
        else { return false }
        let sample = String(decoding: bytes[scalar.range].prefix(64), as: UTF8.self)
        return rules.isSecretField(scanner.text(of: range), value: sample, host: host)
    }

    private func edit(
        _ scalar: JSONScalarScanner.Scalar,
        _ scanner: JSONScalarScanner,
        isNamed: Bool,
        in bytes: UnsafeRawBufferPointer,
        at place: String,
        depth: Int
    ) -> ByteEdit? {
        let spelled = UnsafeRawBufferPointer(rebasing: bytes[scalar.range])
        guard isNamed || rules.isSecretPlace(scanner.place, host: host) else {
            // JSON inside a string, as in logs and queues.
            guard scalar.mayHoldOthers(in: bytes), depth < 3, spelled.contains(UInt8(ascii: "\\"))
            else { return nil }
            var text = Data(JSONEscapes.decodedIfValid(spelled).utf8)
            let place = "\(place) \(scanner.place)"
            guard text.edit({ memberEdits(in: $0, at: place, depth: depth + 1) }) else { return nil }
            let encoded = JSONEscapes.encoded(String(decoding: text, as: UTF8.self))
            return ByteEdit(range: scalar.range, replacement: Array(encoded))
        }
        let place = "\(place) \(scanner.place)"
        guard scalar.isString else {
            note(place)
            return ByteEdit(scalar.range, "0")
        }
        let value = JSONEscapes.decodedIfValid(spelled)
        let name = scalar.name.map(scanner.text) ?? "secret"
        return placeholder(for: value, name: name, at: place).map {
            ByteEdit(scalar.range, $0.text(for: value))
        }
    }

    /// Redacts XML elements by their local names.
    private func elementEdits(in bytes: UnsafeRawBufferPointer, at place: String) -> [ByteEdit] {
        guard !bytes.beginLikeJSON else { return [] }
        var edits: [ByteEdit] = []
        var position = 0
        while let close = bytes.firstIndex(ofByte: UInt8(ascii: "<"), from: position) {
            position = close + 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { continue }
            let tag = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: ">") && $0 > 0x20 }
            // Text may contain `>`, but not `<`.
            guard let name = tag.split(separator: UInt8(ascii: ":")).last, rules.mayBeSecretField(name),
                let open = bytes[..<close].lastIndex(of: UInt8(ascii: "<")),
                let end = bytes[open..<close].firstIndex(of: UInt8(ascii: ">")), end + 1 < close
            else { continue }
            let local = String(decoding: name, as: UTF8.self)
            let spelled = String(decoding: bytes[end + 1..<close], as: UTF8.self)
            guard rules.isSecretField(local, value: spelled, host: host) else { continue }
            let value = spelled.unescapedFromXML
            if let placeholder = placeholder(for: value, name: local, at: "\(place) element \(local)") {
                edits.append(ByteEdit(end + 1..<close, placeholder.text(for: value, spelling: .html)))
            }
        }
        return edits
    }
}

extension String {
    fileprivate var mayNameForm: Bool {
        // `mu` is in `multipart/…`, and `-u` in `application/x-www-form-urlencoded`.
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

extension JSONScalarScanner.Scalar {
    /// Whether a string begins like a JSON object or array.
    fileprivate func mayHoldOthers(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard isString, !range.isEmpty else { return false }
        return bytes[range.lowerBound] == UInt8(ascii: "{") || bytes[range.lowerBound] == UInt8(ascii: "[")
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var beginLikeJSON: Bool {
        let first = first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
