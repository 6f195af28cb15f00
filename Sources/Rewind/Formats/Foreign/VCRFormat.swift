import Foundation

/// The JSON files of VCR (Ruby), betamax and vcrpy.
///
/// They compare method and URL: `matching = [.method, .url]`.
package enum VCRFormat: InflatingCassetteReader, CassetteWriter {
    package static let name = "VCR JSON"

    /// Whether the text is an object with `http_interactions`, or with `interactions` whose requests have a `uri`.
    package static func recognizes(_ data: Data) -> Bool {
        switch FormatDetector.mark(of: data) {
        case .recordings: true
        case .interactions: isPython(data)
        default: false
        }
    }

    /// Whether `interactions` are those of vcrpy and not those of DVR.
    static func isPython(_ data: Data) -> Bool {
        let request: [FormatDetector.Step] = [.member("interactions"), .firstElement, .member("request")]
        return FormatDetector.firstMember(of: ["uri"], at: request, in: data) != nil
            || FormatDetector.firstMember(of: ["version"], in: data) != nil
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    package static func read(_ data: Data) throws -> Cassette { try read(data, limits: .default) }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let mark = FormatDetector.mark(of: data)
        let name: FormatDetector.Mark = mark == .recordings ? .recordings : .interactions
        let document = try JSONEntries(data, at: [name.rawValue])
        try VCRVersion.check(JSONField(document.root, place: .root))
        var budget = InflationBudget(limits)
        return Cassette(interactions: try document.entries.map { try $0.vcrInteraction(&budget) })
    }

    /// Writes a cassette that VCR (Ruby) can play.
    ///
    /// The format cannot represent failures and interactions without an outcome, so they are not written. Neither are the
    /// duration and the chunks of a response.
    package static func write(_ cassette: Cassette) -> Data {
        let interactions = cassette.interactions.compactMap { interaction -> JSON? in
            guard case .response(let response) = interaction.outcome else { return nil }
            return [
                "request": [
                    "method": .string(interaction.request.method.lowercased()),
                    "uri": .string(interaction.request.url),
                    "body": body(interaction.request.body),
                    "headers": headers(interaction.request.headers),
                ],
                "response": [
                    "status": ["code": JSON(response.status), "message": .string(response.statusText)],
                    "headers": headers(response.headers),
                    "body": body(response.body),
                    "http_version": .string(response.httpVersion),
                ],
                "recorded_at": .string(
                    HTTPDate.text(interaction.recordedAt) ?? HARDate.text(interaction.recordedAt)
                ),
            ]
        }
        let document: JSON = ["http_interactions": .array(interactions), "recorded_with": "VCR 6.0.0"]
        return document.serialized()
    }

    private static func body(_ body: Interaction.Body?) -> JSON {
        let data = body?.data ?? Data()
        guard let text = HARBody.text(data) else {
            return ["encoding": "ASCII-8BIT", "base64_string": .string(data.base64EncodedString())]
        }
        return ["encoding": "UTF-8", "string": .string(text)]
    }

    private static func headers(_ headers: HeaderList) -> JSON {
        .object(
            JSONObject(
                headers.grouped.map { name, values in
                    JSONObject.Member(name: name, value: .array(values.map { .string($0) }))
                }
            )
        )
    }
}

/// The format version that vcrpy and go-vcr write.
enum VCRVersion {
    static func check(_ root: CassetteField<some FieldValue>) throws {
        guard let field = root["version"] else { return }
        guard 1...2 ~= (try field.integer()) else {
            throw field.problem("expected version 1 or 2")
        }
    }
}

extension CassetteField {
    /// Reads an interaction as VCR, betamax, vcrpy and go-vcr write it, in JSON or YAML.
    func vcrInteraction(_ budget: inout InflationBudget) throws -> Interaction {
        let field = try object()
        let (request, absence) = try field.required("request").object().vcrRequest()
        let response = try field.required("response").object()
        var answer = try response.vcrStatus()
        answer.headers = try response["headers"]?.headerFields() ?? HeaderList()
        answer.httpVersion = try response.vcrHTTPVersion()
        let outcome = try Interaction.Outcome.reading {
            answer.body = try response.vcrBody(answer.headers, &budget)
            return answer
        }
        var interaction = Interaction(
            request: request,
            outcome: absence.map { .unknown(reason: $0.reason) } ?? outcome,
            startedAt: try field["recorded_at"].flatMap { VCRDate.date(try $0.string()) } ?? .distantPast
        )
        interaction.timing = .init(
            wait: try response["duration"].map { VCRDuration.milliseconds(try $0.string()) } ?? 0
        )
        return interaction
    }

    private func vcrRequest() throws -> (Interaction.Request, BodyAbsence?) {
        let method = try required("method").string()
        var request = Interaction.Request(
            // Ruby writes methods as symbols, in lower case.
            method: method == method.lowercased() ? method.uppercased() : method,
            url: try (self["uri"] ?? self["url"] ?? required("uri")).string(),
            headers: try self["headers"]?.headerFields() ?? HeaderList(),
            httpVersion: try vcrHTTPVersion()
        )
        do {
            // All of these tools write an empty string if there is no body.
            if let data = try vcrBodyData(), !data.isEmpty { request.body = Interaction.Body(data) }
            return (request, nil)
        } catch let absence as BodyAbsence {
            return (request, BodyAbsence(reason: "in the request, " + absence.reason))
        }
    }

    private func vcrHTTPVersion() throws -> String {
        guard let version = try (self["http_version"] ?? self["proto"])?.string() else { return "HTTP/1.1" }
        return version.first?.isNumber == true ? "HTTP/\(version)" : version
    }

    /// Reads a response with only its status, which is an object, a status line or a number.
    func vcrStatus() throws -> Interaction.Response {
        var status = try self["status"] ?? self["status_code"] ?? required("status")
        var phrase = ""
        // go-vcr writes the status line and the code.
        var code = status.value.integerValue == nil ? try self["code"]?.integer() : nil
        if status.value.isObject {
            phrase = try status["message"]?.string() ?? ""
            status = try status.required("code")
            code = try status.integer()
        } else if code != nil {
            phrase = try status.string().drop { $0.isNumber }.trimmingSpaces()
        }
        let number = try code ?? status.integer()
        guard 100...999 ~= number else { throw status.problem("expected a status code from 100 to 999") }
        return Interaction.Response(status: number, statusText: phrase)
    }

    /// Reads the decoded body of a response; empty if there is none.
    /// - Throws: ``BodyAbsence`` if the body cannot be replayed, ``CassetteError/Problem`` if the bodies of the file are
    ///   too large.
    func vcrBody(_ headers: HeaderList, _ budget: inout InflationBudget) throws -> Interaction.Body {
        do {
            return Interaction.Body(try ContentCoding.decoded(vcrBodyData() ?? Data(), headers, &budget))
        } catch let excess as InflationExcess {
            guard case .cassette = excess else { throw BodyAbsence(reason: "the body \(excess.cause)") }
            throw self.excess("its body \(excess.cause)")
        }
    }

    /// Reads the bytes of a body from a string or an object; `nil` if there is no body.
    private func vcrBodyData() throws -> Data? {
        guard let body = self["body"] ?? self["content"] else { return nil }
        guard body.value.isObject else { return try body.vcrBytes(encoding: nil) }
        if let field = body["base64_string"] { return try Self.vcrBytes(base64: field.string()) }
        guard let field = body["string"] else {
            if body.value.members.isEmpty || body.value["string"] != nil { return nil }
            throw BodyAbsence(reason: "the body has an unknown format")
        }
        return try field.vcrBytes(encoding: try body["encoding"]?.string())
    }

    /// VCR and betamax store the text in UTF-8, with the name of the original encoding.
    private func vcrBytes(encoding: String?) throws -> Data {
        if let text = value.base64Text { return try Self.vcrBytes(base64: text) }
        let text = try string()
        return encoding.flatMap { TextEncoding(name: $0) }?.data(text) ?? Data(text.utf8)
    }

    private static func vcrBytes(base64 text: String) throws -> Data {
        guard let data = WrappedBase64.data(text) else { throw BodyAbsence.invalidBase64 }
        return data
    }
}

/// HTTP dates, which VCR writes, and ISO 8601 without a time zone, which betamax writes.
enum VCRDate {
    static func date(_ text: String) -> Date? {
        HARDate.date(text) ?? HARDate.date(text + "Z") ?? HTTPDate.date(text)
    }
}

/// The duration of a response: a Go duration such as `1m2.5s`, or nanoseconds.
enum VCRDuration {
    /// The duration in milliseconds; 0 if the text is not a duration.
    static func milliseconds(_ text: String) -> Double {
        if let nanoseconds = Double(text) { return max(0, nanoseconds / 1_000_000) }
        var rest = text[...]
        var sum = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let value = Double(number), let factor = units[String(unit)] else { return 0 }
            sum += value * factor
            rest = rest.dropFirst(number.count + unit.count)
        }
        return sum
    }

    private static let units: [String: Double] = [
        "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1, "us": 0.001, "µs": 0.001, "μs": 0.001, "ns": 0.000_001,
    ]
}
