import Foundation

/// What a message without a body means, which depends on the tool that wrote the cassette.
struct VCRConvention {
    /// Whether the tool leaves out empty bodies. VCR for R does. VCR for Ruby, betamax, vcrpy and go-vcr always write a
    /// body, even an empty one.
    var omitsEmptyBodies = false

    init<Value>(_ root: CassetteField<Value>, _ entries: [CassetteField<Value>]) {
        // Version 1 for R wrote `recorded_with` into each interaction.
        let names = [root.value["recorded_with"], entries.first?.value["recorded_with"]]
        omitsEmptyBodies = names.contains {
            $0?.stringValue.map { $0.hasPrefix("vcr/") || $0.hasPrefix("VCR-") } ?? false
        }
    }
}

extension Cassette {
    /// Reads the interactions of a cassette of VCR, betamax, vcrpy or go-vcr. A value that cannot be read affects only its
    /// interaction.
    /// - Throws: ``CassetteError/Problem`` if no interaction can be read, or the bodies are too large.
    init<Value>(vcr entries: [CassetteField<Value>], _ convention: VCRConvention, _ limits: CassetteLimits)
        throws
    {
        var budget = InflationBudget(limits)
        self.init(interactions: try entries.map { try $0.vcrInteraction(convention, &budget) })
        guard let first = entries.first, interactions.allSatisfy({ $0.request.url.isEmpty }) else { return }
        guard case .unknown(let reason) = interactions[0].outcome else { return }
        throw first.problem("no interaction can be read: \(reason)")
    }
}

extension CassetteField {
    /// Reads an interaction as VCR, betamax, vcrpy and go-vcr write it, in JSON or YAML. If a value cannot be read, the
    /// interaction never answers, and says why.
    fileprivate func vcrInteraction(_ convention: VCRConvention, _ budget: inout InflationBudget) throws
        -> Interaction
    {
        var reading = EntryReading()
        let entry = reading.value { try object() }
        let recorded = reading.value { try entry?.required("request").object() }
        let request = recorded?.vcrRequest(&reading) ?? Interaction.Request(method: "", url: "")
        let response = reading.value { try entry?.required("response").object() }
        var answer = response?.vcrStatus(&reading) ?? Interaction.Response(status: 0)
        answer.headers = reading.headers(response?["headers"])
        answer.httpVersion = response?.vcrHTTPVersion() ?? ""
        // Of betamax and early vcrpy, which store the URL after redirects.
        answer.setURL(response?["url"]?.value.stringValue, of: request)
        // The header of a parsed body describes the bytes that were sent.
        let isParsed = response?["parsed_body"] != nil
        if isParsed { answer.headers.removeAll(named: "Content-Encoding") }
        var outcome = try ReadOutcome.reading(answer) {
            guard let response else { return Interaction.Body() }
            return try response.vcrBody(of: answer, to: request.method, convention, &budget)
        }
        if isParsed, case .response(var whole) = outcome.outcome {
            let length = "\(whole.body.count)"
            if whole.headers["Content-Length"] ?? length != length { whole.headers["Content-Length"] = length }
            outcome = .response(whole)
        }
        return Interaction(
            request: request,
            read: outcome,
            preventedBy: reading.absence,
            startedAt: entry?["recorded_at"]?.value.stringValue.flatMap { VCRDate.date($0) } ?? .distantPast,
            timing: .init(wait: response?["duration"]?.value.scalarText.map(VCRDuration.milliseconds) ?? 0)
        )
    }

    private func vcrRequest(_ reading: inout EntryReading) -> Interaction.Request {
        // Ruby writes methods as symbols, in lower case.
        let method =
            reading.value {
                let field = try required("method")
                guard field.value.stringValue != "" else { throw field.problem("the method is empty") }
                return try field.scalar()
            } ?? ""
        let name = method.hasPrefix(":") ? String(method.dropFirst()) : method
        var request = Interaction.Request(
            method: name == name.lowercased() ? name.uppercased() : name,
            url: reading.url(self["url"] != nil && self["uri"] == nil ? "url" : "uri", of: self),
            headers: reading.headers(self["headers"]),
            httpVersion: vcrHTTPVersion()
        )
        request.readVCRBody(of: self)
        return request
    }

    private func vcrHTTPVersion() -> String {
        guard let version = (self["http_version"] ?? self["proto"])?.value.scalarText else { return "HTTP/1.1" }
        return version.first?.isNumber == true ? "HTTP/\(version)" : version
    }

    /// Reads a response with only its status, which is an object, a status line or a number.
    func vcrStatus(_ reading: inout EntryReading) -> Interaction.Response {
        guard
            let status = reading.value({
                try self["status"] ?? self["status_code"] ?? self["code"] ?? required("status")
            })
        else { return Interaction.Response(status: 0) }
        if status.value.isObject {
            let code = reading.value { try status["code"] ?? status["status_code"] ?? status.required("code") }
            let message = status["message"]?.value.scalarText ?? ""
            return Interaction.Response(status: code?.vcrCode(&reading) ?? 0, statusText: message)
        }
        // go-vcr writes the status line and the code.
        let phrase = status.value.stringValue.map { $0.drop { $0.isNumber }.trimmingSpaces() } ?? ""
        return Interaction.Response(status: (self["code"] ?? status).vcrCode(&reading), statusText: phrase)
    }

    /// A status code, as a number or at the beginning of a text; 0 if there is none.
    private func vcrCode(_ reading: inout EntryReading) -> Int {
        let text = value.scalarText?.trimmingSpaces().prefix { $0 != " " }
        let number = value.integerValue ?? text.flatMap { Int($0) }
        guard let number, 100...999 ~= number else {
            _ = reading.value { () throws -> Int? in
                throw problem("expected a status code from 100 to 999")
            }
            return number ?? 0
        }
        return number
    }
}

extension Interaction.Request {
    mutating func readVCRBody<Value>(of field: CassetteField<Value>?) {
        do {
            // All of these tools write an empty string if there is no body.
            if let data = try field?.vcrBodyData(), !data.isEmpty { body = Interaction.Body(data) }
        } catch {
            bodyAbsence =
                error.reason.hasPrefix("the body") ? "the request\(error.reason.dropFirst(3))" : error.reason
        }
    }
}

/// HTTP dates, which VCR writes, and ISO 8601 without a time zone, which betamax and VCR for R write.
enum VCRDate {
    static func date(_ text: String) -> Date? {
        let plain = text.hasSuffix(" GMT") || text.hasSuffix(" UTC") ? text.dropLast(4) : text[...]
        let isDay = plain.dropFirst(10).first == " " && plain.first?.isNumber == true
        let local = isDay ? "\(plain.prefix(10))T\(plain.dropFirst(11))" : String(plain)
        return HARDate.date(text) ?? HARDate.date(local + "Z") ?? HTTPDate.date(text)
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
