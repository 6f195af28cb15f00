import Foundation

/// Decodes one entry of an archive from the offsets of its members. Decoding an entry with ``EntryOffsets/isPlain``
/// never throws.
struct HAREntry {
    let offsets: EntryOffsets
    /// The bytes of the whole archive, for the line numbers of errors.
    let bytes: UnsafeRawBufferPointer
    let archive: Data
    let number: Int
    var attachments: Attachments?

    /// Reads a single entry from its text: the interaction and the paths of its bodies.
    static func read(_ text: Data, _ attachments: Attachments?) throws -> (Interaction, BodyPaths) {
        let offsets = try ArchiveScanner.entry(text)
        return try text.withUnsafeBytes { bytes in
            var entry = HAREntry(offsets: offsets, bytes: bytes, archive: text, number: 0)
            entry.attachments = attachments
            return (try entry.interaction(), entry.bodyPaths())
        }
    }

    /// Decodes the interaction.
    /// - Throws: ``CassetteError/Problem`` if a member has a wrong type.
    func interaction() throws -> Interaction {
        guard bytes[offsets.text.lowerBound] == JSONByte.openBrace else {
            throw JSONField(.null, place: place).problem("expected an object")
        }
        var request = try requestWithoutBody(withHeaders: true)
        var absence: BodyAbsence?
        do {
            request.body = try requestBody(request.headers)
        } catch let problem as BodyAbsence {
            absence = problem
        }
        if request.method.isEmpty || request.url.isEmpty {
            absence = BodyAbsence(reason: "the request has no method or no URL")
        }
        let outcome = try outcome(of: request)
        var interaction = Interaction(
            request: request,
            outcome: absence.map { .unknown(reason: $0.reason) } ?? outcome,
            startedAt: try startedAt()
        )
        if let fragment = try text(offsets.own.fragment, "_rewind.fragment"), !request.url.contains("#") {
            interaction.request.url += "#" + fragment
        }
        interaction.redactedPlaces = try redactedPlaces()
        interaction.timing = try timing()
        return interaction
    }

    /// Decodes only the parts of the interaction that answer a request.
    func answer(to request: Interaction.Request) throws -> Interaction {
        var interaction = Interaction(
            request: request,
            outcome: try outcome(of: request),
            startedAt: .distantPast
        )
        interaction.redactedPlaces = try redactedPlaces()
        interaction.timing = try timing()
        return interaction
    }

    /// Decodes the request. A request without a body has headers only if they are wanted.
    func request(withHeaders: Bool) throws -> Interaction.Request {
        var request = try requestWithoutBody(withHeaders: withHeaders || offsets.request.body.object > 0)
        request.body = try requestBody(request.headers)
        return request
    }

    func beginning() throws -> (url: String, startedAt: Date) {
        (try text(offsets.request.url, "request.url") ?? "", try startedAt())
    }

    /// The paths of the body files that the entry names.
    func bodyPaths() -> BodyPaths {
        BodyPaths(
            request: try? text(offsets.request.body.file, "request.postData._file"),
            response: try? text(offsets.response.body.file, "response.content._file")
        )
    }

    private func requestWithoutBody(withHeaders: Bool) throws -> Interaction.Request {
        let members = offsets.request
        guard try isObject(members.object, "request") else { return Interaction.Request(method: "", url: "") }
        return Interaction.Request(
            method: try text(members.method, "request.method") ?? "",
            url: try text(members.url, "request.url") ?? "",
            headers: withHeaders ? try headers(members.headers, "request.headers") : HeaderList(),
            httpVersion: try text(members.httpVersion, "request.httpVersion") ?? ""
        )
    }

    private func outcome(of request: Interaction.Request) throws -> Interaction.Outcome {
        _ = try isObject(offsets.own.object, "_rewind")
        let failure = try field(offsets.own.failure, "_rewind.failure")?.object().failureWithUserInfo()
        let members = offsets.response
        guard try isObject(members.object, "response") else {
            return failure.map { .failure($0, after: nil) } ?? .unknown(reason: "the entry has no response")
        }
        // Browsers write status 0 if there was no response.
        guard let status = try integer(members.status, "response.status"), status > 0 else {
            return failure.map { .failure($0, after: nil) } ?? .unknown(reason: "the response has status 0")
        }
        var response = Interaction.Response(
            status: status,
            statusText: try text(members.statusText, "response.statusText") ?? "",
            headers: try headers(members.headers, "response.headers"),
            httpVersion: try text(members.httpVersion, "response.httpVersion") ?? ""
        )
        do {
            let body = try responseBody(to: request, response)
            response.body = Interaction.Body(body, chunks: try chunks())
        } catch let absence as BodyAbsence {
            return .unknown(reason: absence.reason)
        }
        return failure.map { .failure($0, after: response) } ?? .response(response)
    }

    private func headers(_ offset: UInt32, _ path: String) throws -> HeaderList {
        guard var json = value(at: offset) else { return HeaderList() }
        var fields: [HeaderList.Field] = []
        fields.reserveCapacity(8)
        if json.isArray {
            let arePlain = try json.headerFields { name, value in
                fields.append(HeaderList.Field(name: name.string, value: value.string))
            }
            if arePlain { return HeaderList(fields) }
        }
        let elements = try field(offset, path)?.elements() ?? []
        return HeaderList(
            try elements.map { field in
                // Slack exports pairs instead of the objects of the specification.
                if field.value.arrayValue != nil {
                    let pair = try field.elements()
                    guard pair.count == 2 else { throw field.problem("expected a name and a value") }
                    return HeaderList.Field(name: try pair[0].string(), value: try pair[1].string())
                }
                let field = try field.object()
                var read = HeaderList.Field(
                    name: try field["name"]?.string() ?? "",
                    value: try field["value"]?.string() ?? ""
                )
                read.isLatin1 = try field["_encoding"]?.string() == "latin1"
                return read
            }
        )
    }

    /// The body of a request, from its text, a separate file or the parameters of a form.
    private func requestBody(_ headers: HeaderList) throws -> Interaction.Body? {
        let members = offsets.request.body
        guard try isObject(members.object, "request.postData") else { return nil }
        let parameters = try field(members.parameters, "request.postData.params")?.elements() ?? []
        let token = try string(members.text, "request.postData.text")
        // Insomnia writes an empty text if the parameters are the body.
        if let token, !token.content.isEmpty || parameters.isEmpty {
            let encoding =
                try text(members.ownEncoding, "request.postData._encoding")
                ?? text(members.encoding, "request.postData.encoding")
            guard let data = Self.data(token, encoding) else { throw BodyAbsence.invalidRequestBase64 }
            return Interaction.Body(data)
        }
        if let path = try text(members.file, "request.postData._file") {
            return Interaction.Body(try attached(path))
        }
        guard !parameters.isEmpty else { return nil }
        let type = try field(members.object, "request.postData")?["mimeType"]?.string()
        return try HARForm.body(parameters, mediaType: MediaType(headers["Content-Type"]) ?? MediaType(type))
    }

    private func responseBody(to request: Interaction.Request, _ head: Interaction.Response) throws -> Data {
        let members = offsets.response.body
        guard try isObject(members.object, "response.content") else { return Data() }
        if let token = try string(members.text, "response.content.text") {
            let encoding = try text(members.encoding, "response.content.encoding")
            guard let data = Self.data(token, encoding) else { throw BodyAbsence.invalidBase64 }
            return Self.isBase64(encoding)
                ? data : TextEncoding.data(data, sentAs: head.headers["Content-Type"])
        }
        if let path = try text(members.file, "response.content._file") { return try attached(path) }
        let size = try integer(members.size, "response.content.size") ?? 0
        // The size may be that of a body that was not sent, or of a redirect that was followed.
        let isBodiless =
            request.method == "HEAD" || [204, 304].contains(head.status) || head.redirectTarget != nil
        guard size <= 0 || isBodiless else { throw BodyAbsence(reason: "the body was not recorded") }
        return Data()
    }

    private func attached(_ path: String) throws -> Data {
        guard let data = attachments?.data(at: path) else {
            throw BodyAbsence(reason: "the body file \(path) cannot be read")
        }
        return data
    }

    private static func data(_ token: JSONToken, _ encoding: String?) -> Data? {
        let data = token.data
        guard isBase64(encoding) else { return data }
        return Data(base64Encoded: data) ?? WrappedBase64.data(String(decoding: data, as: UTF8.self))
    }

    private static func isBase64(_ encoding: String?) -> Bool { encoding?.lowercased() == "base64" }

    private func chunks() throws -> [Interaction.Body.Chunk] {
        guard var json = value(at: offsets.own.chunks) else { return [] }
        var chunks: [Interaction.Body.Chunk] = []
        if json.isArray {
            let arePlain = try json.chunks { time, count in
                let (offset, count) = (Double(time.string) ?? 0, Int(count.string) ?? 0)
                chunks.append(Interaction.Body.Chunk(offset: offset, count: count))
            }
            if arePlain { return chunks }
        }
        return try field(offsets.own.chunks, "_rewind.chunks")?.elements().map { chunk in
            let pair = try chunk.elements()
            guard pair.count == 2 else { throw chunk.problem("expected a time and a size") }
            return Interaction.Body.Chunk(offset: try pair[0].double(), count: try pair[1].integer())
        } ?? []
    }

    private func startedAt() throws -> Date {
        try text(offsets.startedAt, "startedDateTime").flatMap(HARDate.date) ?? .distantPast
    }

    private func timing() throws -> Interaction.Timing {
        _ = try isObject(offsets.timings.object, "timings")
        var timing = Interaction.Timing()
        timing.wait = max(0, try double(offsets.timings.wait, "timings.wait") ?? 0)
        timing.receive = max(0, try double(offsets.timings.receive, "timings.receive") ?? 0)
        return timing
    }

    private func redactedPlaces() throws -> [String] {
        guard offsets.own.redacted > 0 else { return [] }
        return try field(offsets.own.redacted, "_rewind.redacted")?.elements().map { try $0.string() } ?? []
    }

    private var place: FieldPlace {
        let text = offsets.text
        let range = text.lowerBound + archive.startIndex..<text.upperBound + archive.startIndex
        return .text(number, range: range, of: archive)
    }

    /// A scanner at a value; `nil` if it is missing or null.
    private func value(at offset: UInt32) -> JSONScanner? {
        guard offset > 0 else { return nil }
        let json = JSONScanner(bytes, at: offsets.text.lowerBound + Int(offset))
        return json.isNull ? nil : json
    }

    /// A parsed value with its place; `nil` if it is missing or null.
    private func field(_ offset: UInt32, _ path: String) throws -> JSONField? {
        guard var json = value(at: offset) else { return nil }
        return JSONField(try json.value(), place: .member(path, of: place))
    }

    private func isObject(_ offset: UInt32, _ path: String) throws -> Bool {
        guard let json = value(at: offset) else { return false }
        if !json.isObject { _ = try field(offset, path)?.object() }
        return true
    }

    private func string(_ offset: UInt32, _ path: String) throws -> JSONToken? {
        guard var json = value(at: offset) else { return nil }
        if !json.isString { _ = try field(offset, path)?.string() }
        return try json.string()
    }

    private func text(_ offset: UInt32, _ path: String) throws -> String? { try string(offset, path)?.string }

    private func double(_ offset: UInt32, _ path: String) throws -> Double? {
        guard var json = value(at: offset) else { return nil }
        guard json.isNumber, let value = Double(try json.number().string), value.isFinite else {
            return try field(offset, path)?.double()
        }
        return value
    }

    private func integer(_ offset: UInt32, _ path: String) throws -> Int? {
        guard var json = value(at: offset) else { return nil }
        guard json.isNumber, let value = Int(try json.number().string) else {
            return try field(offset, path)?.integer()
        }
        return value
    }
}

/// Rebuilds the body of a form from its parameters, which Firefox and Charles write instead of the text.
private enum HARForm {
    /// The body; `nil` if the archive does not contain all of it.
    static func body(_ params: [JSONField], mediaType: MediaType?) throws -> Interaction.Body? {
        guard mediaType?.essence == "multipart/form-data" else { return try urlEncoded(params) }
        return try multipart(params, boundary: mediaType?.parameters["boundary"])
    }

    private static func urlEncoded(_ params: [JSONField]) throws -> Interaction.Body {
        let pairs = try params.map { param in
            FormFields.Field(
                spelledName: PercentEncoding.encoded(try param["name"]?.string() ?? ""),
                spelledValue: try param["value"].map { PercentEncoding.encoded(try $0.string()) }
            ).text
        }
        return Interaction.Body(pairs.joined(separator: "&"))
    }

    /// The parts (RFC 7578 section 4); `nil` if the content of a file is missing, as it mostly is.
    private static func multipart(_ params: [JSONField], boundary: String?) throws -> Interaction.Body? {
        var text = ""
        for param in params {
            let name = try param["name"]?.string() ?? ""
            let file = try param["fileName"]?.string()
            let type = try param["contentType"]?.string()
            let value = try param["value"]?.string()
            guard let boundary, value != nil || file == nil else { return nil }
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
            text += file.map { "; filename=\"\($0)\"" } ?? ""
            text += type.map { "\r\nContent-Type: \($0)" } ?? ""
            text += "\r\n\r\n\(value ?? "")\r\n"
        }
        return boundary.map { Interaction.Body(text + "--\($0)--\r\n") }
    }
}
