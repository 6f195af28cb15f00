extension JSONField {
    /// Reads the header fields of an archive: a list of objects, pairs or lines, or an object. A field that cannot be
    /// understood is left out.
    ///
    /// HAR 1.2 allows only objects whose names and values are strings. Polly.js 1 writes all values of a field as an array,
    /// and Slack exports pairs.
    func archivedHeaders(_ reading: inout EntryReading) -> HeaderList {
        var headers = HeaderList()
        guard !value.isObject else {
            for member in reading.value({ try members() }) ?? [] {
                let values = reading.value { try member.field?.headerValues() ?? [""] } ?? []
                for value in values { headers.append(member.name, value) }
            }
            return headers
        }
        for element in reading.value({ try elements() }) ?? [] where !element.value.isNull {
            guard let (name, values, isLatin1) = reading.value({ try element.archivedHeader() }) else {
                continue
            }
            for value in values {
                var field = HeaderList.Field(name: name, value: value)
                field.isLatin1 = isLatin1
                headers.fields.append(field)
            }
        }
        return headers
    }

    fileprivate func archivedHeader() throws -> (name: String, values: [String], isLatin1: Bool)? {
        if let line = value.stringValue, let colon = line.firstIndex(of: ":"), colon != line.startIndex {
            return (String(line[..<colon]), [line[line.index(after: colon)...].trimmingSpaces()], false)
        }
        if value.arrayValue != nil {
            let pair = try elements()
            guard pair.count == 2 else { throw problem("expected a name and a value") }
            return (try pair[0].scalar(), try pair[1].headerValues(), false)
        }
        let field = try object()
        let values = try field["value"]?.headerValues() ?? [""]
        return (try field["name"]?.scalar() ?? "", values, field["_encoding"]?.value.stringValue == "latin1")
    }

    fileprivate func headerValues() throws -> [String] {
        value.arrayValue == nil ? [try scalar()] : try elements().map { try $0.scalar() }
    }

    /// Reads the parameters of a form: a list, or an object with the value of each name.
    func parameters() throws -> [JSONField] {
        guard value.isObject else { return try elements() }
        return try members().compactMap { name, field in
            field?.replacing(["name": .string(name), "value": field?.value ?? .null])
        }
    }
}

extension JSON {
    /// The number of fields that an element of a list of headers represents; `nil` if it cannot be understood.
    var countOfHeaders: Int? { try? JSONField(self, place: .root).archivedHeader()?.values.count }

    /// Whether it is the value of a header field, or an array of values.
    var isHeaderValue: Bool { (try? JSONField(self, place: .root).headerValues()) != nil }
}
