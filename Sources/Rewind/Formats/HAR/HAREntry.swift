import Foundation

/// Decodes one entry of an archive from the offsets of its members. Decoding an entry with ``EntryOffsets/isPlain``
/// never throws.
struct HAREntry {
    let offsets: EntryOffsets
    /// The bytes of the whole archive, for line numbers.
    let bytes: UnsafeRawBufferPointer
    let archive: Data
    let number: Int
    /// The line on which the entry begins.
    var firstLine = 1
    /// Whether Rewind created the archive. Some of its entries may be those of other tools.
    var isOfRewind = true
    var attachments: Attachments?

    /// Reads a single entry from its text: the interaction and the paths of its bodies.
    static func read(_ text: Data, _ attachments: Attachments?) throws -> (Interaction, BodyPaths) {
        let offsets = try ArchiveScanner.entry(text)
        var budget = InflationBudget(.default)
        return try text.withUnsafeBytes { bytes in
            var entry = HAREntry(offsets: offsets, bytes: bytes, archive: text, number: 0)
            entry.attachments = attachments
            return (try entry.interaction(&budget), entry.bodyPaths())
        }
    }

    /// Decodes the interaction. It never answers if a member that matters cannot be understood.
    /// - Throws: ``CassetteError/Problem/tooLarge(_:)`` if the compressed bodies of the archive are too large.
    func interaction(_ budget: inout InflationBudget) throws -> Interaction {
        var reading = EntryReading()
        var request = try requestWithoutBody(withHeaders: true, &reading)
        let headers = request.headers
        reading.body(of: &request) { try requestBody(headers)?.data }
        let outcome = try outcome(of: request, &reading, &budget)
        let fragment = reading.value { try text(offsets.own.fragment, "_rewind.fragment") }
        var interaction = Interaction(
            request: request,
            read: outcome,
            preventedBy: reading.absence,
            startedAt: startedAt()
        )
        if let fragment, !request.url.contains("#") { interaction.request.url += "#" + fragment }
        interaction.redactedPlaces = redactedPlaces()
        interaction.timing = timing()
        return interaction
    }

    /// Decodes only the parts of a plain entry that answer a request.
    func answer(to request: Interaction.Request) throws -> Interaction {
        var reading = EntryReading()
        var budget = InflationBudget(.default)
        var interaction = Interaction(
            request: request,
            outcome: try outcome(of: request, &reading, &budget).outcome,
            startedAt: .distantPast
        )
        interaction.redactedPlaces = redactedPlaces()
        interaction.timing = timing()
        return interaction
    }

    /// Decodes the request of a plain entry. A request without a body has headers only if they are wanted.
    func request(withHeaders: Bool) throws -> Interaction.Request {
        var reading = EntryReading()
        let hasBody = offsets.request.body.object > 0
        var request = try requestWithoutBody(withHeaders: withHeaders || hasBody, &reading)
        request.body = try requestBody(request.headers)
        return request
    }

    func line() throws -> (method: String, url: String) {
        let members = offsets.request
        return (
            try scalar(members.method, "request.method") ?? "", try scalar(members.url, "request.url") ?? ""
        )
    }

    func beginning() throws -> (url: String, startedAt: Date) {
        (try scalar(offsets.request.url, "request.url") ?? "", startedAt())
    }

    /// The paths of the body files that the entry names.
    func bodyPaths() -> BodyPaths {
        BodyPaths(
            request: try? text(offsets.request.body.file, "request.postData._file"),
            response: try? text(offsets.response.body.file, "response.content._file")
        )
    }

    private func requestWithoutBody(withHeaders: Bool, _ reading: inout EntryReading) throws
        -> Interaction.Request
    {
        let members = offsets.request
        var request = Interaction.Request(method: "", url: "")
        if bytes[offsets.text.lowerBound] != JSONByte.openBrace {
            reading.note("\(JSONField(.null, place: place(of: 0)).problem("expected an object"))")
        }
        guard reading.value({ try isObject(members.object, "request") }) == true else { return request }
        request.method = reading.value { try scalar(members.method, "request.method") } ?? ""
        request.url = reading.value { try scalar(members.url, "request.url") } ?? ""
        if withHeaders {
            request.headers = try headers(members.headers, "request.headers", &reading)
        }
        request.httpVersion = unimportantText(members.httpVersion)
        return request
    }

    private func outcome(
        of request: Interaction.Request,
        _ reading: inout EntryReading,
        _ budget: inout InflationBudget
    ) throws -> ReadOutcome {
        // An archive that was converted says why the original did not answer.
        let reason = reading.value { try text(offsets.own.unanswered, "_rewind.unanswered") }
        let answer = try answer(to: request, &reading, &budget)
        return answer.prevented(by: reason.map(BodyAbsence.init(reason:)))
    }

    private func answer(
        to request: Interaction.Request,
        _ reading: inout EntryReading,
        _ budget: inout InflationBudget
    ) throws -> ReadOutcome {
        let failure = reading.value {
            try field(offsets.own.failure, "_rewind.failure")?.object().failureWithUserInfo()
        }
        let members = offsets.response
        guard reading.value({ try isObject(members.object, "response") }) == true else {
            return failure.map { .failure($0, after: nil) } ?? .unknown(reason: "the entry has no response")
        }
        let (status, obstacle) = try status()
        // Browsers write status 0 if there was no response.
        if obstacle != nil, let failure { return .failure(failure, after: nil) }
        var response = Interaction.Response(
            status: status,
            statusText: unimportantText(members.statusText),
            headers: try headers(members.headers, "response.headers", &reading),
            httpVersion: unimportantText(members.httpVersion)
        )
        let url = unimportantText(offsets.own.responseURL)
        if !url.isEmpty { response.url = url }
        do {
            let body = try responseBody(to: request, response, &budget)
            response.body = Interaction.Body(body, chunks: chunks())
        } catch let problem as CassetteError.Problem {
            guard case .structure = problem else { throw problem }
            return .unknown(reason: "\(problem)", response: response)
        } catch let absence as BodyAbsence {
            return .unknown(reason: (obstacle ?? absence).reason, response: response)
        }
        if let obstacle { return .unknown(reason: obstacle.reason, response: response) }
        return failure.map { .failure($0, after: response) } ?? .response(response)
    }

    /// The status, and why a response with it cannot answer.
    private func status() throws -> (Int, BodyAbsence?) {
        let offset = offsets.response.status
        guard offset > 0 else { return (0, BodyAbsence(reason: "the response has no status")) }
        var json = JSONScanner(bytes, at: offsets.text.lowerBound + Int(offset))
        let value = try json.value()
        let number = value.doubleValue.flatMap { Int(exactly: $0.rounded(.towardZero)) }
        let status = number ?? value.stringValue.flatMap { Int($0) }
        if let status, 100...999 ~= status { return (status, nil) }
        let text = value.lineText
        let shown = String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "")
        return (status ?? 0, BodyAbsence(reason: "the status is \(shown)"))
    }

    private func headers(_ offset: UInt32, _ path: String, _ reading: inout EntryReading) throws -> HeaderList {
        guard var json = value(at: offset) else { return HeaderList() }
        var fields: [HeaderList.Field] = []
        fields.reserveCapacity(8)
        if json.isArray {
            let arePlain = try json.headerFields { name, value in
                fields.append(HeaderList.Field(name: name.string, value: value.string))
            }
            if arePlain { return HeaderList(fields) }
        }
        guard let field = try field(offset, path) else { return HeaderList() }
        return field.archivedHeaders(&reading)
    }

    /// The body of a request, from its text, a separate file or the parameters of a form.
    private func requestBody(_ headers: HeaderList) throws -> Interaction.Body? {
        let members = offsets.request.body
        guard try isObject(members.object, "request.postData") else { return nil }
        let token = try string(members.text, "request.postData.text")
        let parameters =
            token?.content.isEmpty == false
            ? nil : try field(members.parameters, "request.postData.params")?.parameters()
        // Insomnia writes an empty text if the parameters are the body.
        if let token, parameters?.isEmpty != false {
            let encoding =
                try text(members.ownEncoding, "request.postData._encoding")
                ?? text(members.encoding, "request.postData.encoding")
            var stored = stored(token, encoding, members, "the request body", headers)
            // Polly.js marks only bodies of responses.
            stored.isHexadecimal = false
            switch try stored.content() {
            case .text(let data):
                let contentType = offsets.isOfPolly ? nil : headers["Content-Type"]
                return Interaction.Body(TextEncoding.request(try undamaged(data, stored), sentAs: contentType))
            case .bytes(let data), .sent(let data): return Interaction.Body(data)
            }
        }
        if let path = try text(members.file, "request.postData._file") {
            return Interaction.Body(try attached(path))
        }
        let postData = try field(members.object, "request.postData")
        if let parameters, !parameters.isEmpty {
            let types = [headers["Content-Type"], postData?["mimeType"]?.value.stringValue]
            return try HARForm.body(parameters, mediaTypes: types.compactMap { MediaType($0) })
        }
        if let reason = postData?["_unknown"]?.value.stringValue { throw BodyAbsence(reason: reason) }
        // Polly.js writes only the media type of a body that is not text.
        if token == nil, offsets.isOfPolly { throw BodyAbsence(reason: "the request body was not recorded") }
        return nil
    }

    private func responseBody(
        to request: Interaction.Request,
        _ head: Interaction.Response,
        _ budget: inout InflationBudget
    ) throws -> Data {
        let members = offsets.response.body
        guard try isObject(members.object, "response.content") else { return Data() }
        if let token = try string(members.text, "response.content.text") {
            let encoding = try text(members.encoding, "response.content.encoding")
            let stored = stored(token, encoding, members, "the body", head.headers)
            switch try stored.content() {
            case .text(let data):
                // Polly.js stores bytes that are UTF-8 as they are, whatever the header says.
                let contentType = offsets.isOfPolly ? nil : head.headers["Content-Type"]
                return try TextEncoding.data(undamaged(data, stored), sentAs: contentType)
            case .bytes(let data):
                let isEncoded = try isEncoded(data, head.headers)
                return isEncoded ? try decoded(data, head.headers, &budget) : data
            case .sent(let data): return try decoded(data, head.headers, &budget)
            }
        }
        if let path = try text(members.file, "response.content._file") { return try attached(path) }
        let size = try integer(members.size, "response.content.size") ?? 0
        // The size may be that of a body that was not sent, or of a redirect that was followed.
        let isBodiless =
            request.method == "HEAD" || [204, 304].contains(head.status) || head.redirectTarget != nil
        guard size <= 0 || isBodiless else { throw BodyAbsence(reason: "the body was not recorded") }
        return Data()
    }

    private func stored(
        _ token: JSONToken,
        _ encoding: String?,
        _ members: EntryOffsets.Body,
        _ title: String,
        _ headers: HeaderList
    ) -> HARStoredBody {
        HARStoredBody(
            title: title,
            text: token,
            encoding: encoding,
            isBinaryType: members.isBinaryType,
            isHexadecimal: members.isHexadecimal,
            isOfPolly: offsets.isOfPolly,
            headers: headers
        )
    }

    /// Whether a body was stored as it was sent, although HAR 1.2 demands decoded bodies. Brotli has no signature, but a body
    /// of exactly the size that was sent was not decoded.
    private func isEncoded(_ data: Data, _ headers: HeaderList) throws -> Bool {
        if offsets.response.hasUnmarkedCoding, headers.contentCodings.last == "br" {
            guard try field(offsets.response.object, "response")?["bodySize"]?.value == JSON(data.count)
            else { return false }
        } else if !HARStoredBody.looksEncoded(data, headers) {
            return false
        }
        return !isOwn(bodyOf: data.count)
    }

    /// Removes the content codings of a body that was stored as it was sent.
    private func decoded(_ data: Data, _ headers: HeaderList, _ budget: inout InflationBudget) throws -> Data {
        do {
            return try ContentCoding.decoded(data, headers, &budget)
        } catch let excess as InflationExcess {
            guard case .cassette = excess else { throw BodyAbsence(reason: "the body \(excess.cause)") }
            throw JSONField(.null, place: place(of: 0)).excess("its body \(excess.cause)")
        }
    }

    /// The text of a body, unless it is what a recorder made of bytes that are not text.
    private func undamaged(_ data: Data, _ stored: HARStoredBody) throws -> Data {
        guard stored.isBinaryType, HARStoredBody.standsForBytes(data), !isOwn(bodyOf: data.count) else {
            return data
        }
        throw BodyAbsence(reason: "\(stored.title) was recorded as text, which is not what was sent")
    }

    /// Whether Rewind wrote the body. Its bodies are decoded, even if they look as if they were not: a compressed file may be
    /// sent with a content coding.
    private func isOwn(bodyOf count: Int) -> Bool {
        if offsets.own.decoded > 0 { return true }
        guard isOfRewind else { return false }
        var json = JSONScanner(bytes, at: offsets.text.lowerBound)
        guard let entry = try? json.value(), let response = entry["response"], let content = response["content"]
        else { return false }
        let names = Set(content.members.map(\.name))
        let members = Set(response.members.map(\.name))
        return names.isSubset(of: ["size", "mimeType", "encoding", "text"]) && members == Self.ownMembers
            && response["headersSize"] == -1 && entry["request"]?["headersSize"] == -1
            && content["size"] == JSON(count) && response["bodySize"] == JSON(count)
    }

    private static let ownMembers: Set = [
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
        "bodySize",
    ]

    private func attached(_ path: String) throws -> Data {
        guard let data = attachments?.data(at: path) else {
            throw BodyAbsence(reason: "the body file \(path) cannot be read")
        }
        return data
    }

    /// The chunks of the body; none if they cannot be understood, as they do not change the body.
    private func chunks() -> [Interaction.Body.Chunk] {
        guard var json = value(at: offsets.own.chunks), json.isArray else { return [] }
        var chunks: [Interaction.Body.Chunk] = []
        let arePlain = try? json.chunks { time, count in
            let (offset, count) = (Double(time.string) ?? 0, Int(count.string) ?? 0)
            chunks.append(Interaction.Body.Chunk(offset: offset, count: count))
        }
        if arePlain == true { return chunks }
        // Numbers with an exponent are not plain.
        var list = value(at: offsets.own.chunks)
        let elements = (try? list?.value())?.arrayValue ?? []
        let read = elements.compactMap { element -> Interaction.Body.Chunk? in
            guard let pair = element.arrayValue, pair.count == 2, let offset = pair[0].doubleValue,
                let count = pair[1].integerValue
            else { return nil }
            return Interaction.Body.Chunk(offset: offset, count: count)
        }
        return read.count == elements.count ? read : []
    }

    /// The start of the request, also in seconds or milliseconds since 1970.
    private func startedAt() -> Date {
        guard var json = value(at: offsets.startedAt) else { return .distantPast }
        if json.isString { return (try? json.string()).flatMap { HARDate.date($0.string) } ?? .distantPast }
        guard let seconds = number(offsets.startedAt) else { return .distantPast }
        return RecordedDate.date(abs(seconds) < 1e11 ? seconds : seconds / 1000)
    }

    private func timing() -> Interaction.Timing {
        var timing = Interaction.Timing()
        timing.wait = max(0, number(offsets.timings.wait) ?? 0)
        timing.receive = max(0, number(offsets.timings.receive) ?? 0)
        return timing
    }

    private func redactedPlaces() -> [String] {
        guard var json = value(at: offsets.own.redacted) else { return [] }
        return (try? json.value())?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The number at a place, also as a string; `nil` if there is none.
    private func number(_ offset: UInt32) -> Double? {
        guard var json = value(at: offset) else { return nil }
        let token = json.isNumber ? try? json.number() : json.isString ? try? json.string() : nil
        return token.flatMap { Double($0.string) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A text that no answer depends on; empty if it is not a string or a number.
    private func unimportantText(_ offset: UInt32) -> String {
        guard var json = value(at: offset) else { return "" }
        let token = json.isString ? try? json.string() : json.isNumber ? try? json.number() : nil
        return token?.string ?? ""
    }

    /// The place of a member, with its line.
    private func place(of offset: UInt32) -> FieldPlace {
        let start = offsets.text.lowerBound + archive.startIndex
        return .lines(number, from: firstLine, start..<start + Int(offset), of: archive)
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
        return JSONField(try json.value(), place: .member(path, of: place(of: offset)))
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

    private func scalar(_ offset: UInt32, _ path: String) throws -> String? {
        guard var json = value(at: offset) else { return nil }
        return json.isString ? try json.string().string : try field(offset, path)?.scalar()
    }

    private func integer(_ offset: UInt32, _ path: String) throws -> Int? {
        guard var json = value(at: offset) else { return nil }
        guard json.isNumber, let value = Int(try json.number().string) else {
            return try field(offset, path)?.integer()
        }
        return value
    }
}
