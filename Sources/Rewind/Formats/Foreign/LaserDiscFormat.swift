import Foundation

/// The JSON files of LaserDisc. It compares method, URL and query, ignoring the order and the repetition of query items:
/// `matching = .approximate`.
package enum LaserDiscFormat: CassetteReader {
    package static let name = "LaserDisc"

    /// An object with `entries`; in HAR they are inside `log`.
    package static func recognizes(_ data: Data) -> Bool { FormatDetector.mark(of: data) == .entries }

    package static func read(_ data: Data) throws -> Cassette {
        let entries = try JSONEntries(data, at: ["entries"]).entries
        return try Cassette(read: entries.map(interaction), from: "`entries`")
    }

    private static func interaction(_ field: JSONField) -> Interaction {
        var reading = EntryReading()
        let entry = reading.value { try field.object() }
        let request = request(reading.value { try entry?.required("request").object() }, &reading)
        let response = reading.value { try entry?.required("response").object() }
        let outcome = response.map { self.outcome($0, to: request, &reading) }
        let seconds = response?["elapsedTime"]?.value.doubleValue ?? 0
        return Interaction(
            request: request,
            read: outcome ?? .unknown(reason: "the response is missing"),
            preventedBy: reading.absence,
            startedAt: .distantPast,
            timing: .init(wait: max(0, seconds) * 1000)
        )
    }

    private static func request(_ field: JSONField?, _ reading: inout EntryReading) -> Interaction.Request {
        var request = Interaction.Request(
            method: reading.value { try field?.required("method").string() } ?? "",
            url: reading.url("url", of: field),
            headers: reading.headers(field?["headers"])
        )
        reading.body(of: &request) { try field?["body"].map { Data(try $0.string().utf8) } }
        return request
    }

    private static func outcome(
        _ field: JSONField,
        to request: Interaction.Request,
        _ reading: inout EntryReading
    ) -> ReadOutcome {
        let line = field["status"]?.value.scalarText ?? ""
        let parts = line.split(separator: " ", maxSplits: 1)
        let status = parts.first.flatMap { Int($0) } ?? 0
        if !(100...999 ~= status) {
            _ = reading.value { () throws -> Int? in
                throw try field.required("status").problem(
                    "expected a status code and a reason phrase, such as `200 OK`"
                )
            }
        }
        var response = Interaction.Response(
            status: status,
            statusText: parts.count > 1 ? String(parts[1]) : "",
            headers: reading.headers(field["headers"])
        )
        let data = reading.value {
            let number = try field["bodyEncodingRaw"]?.integer() ?? Int(String.Encoding.utf8.rawValue)
            guard let encoding = TextEncoding(rawValue: number) else {
                throw BodyAbsence(reason: "the text encoding \(number) of the body is unknown")
            }
            return try encoding.data(field.required("body").string())
        }
        response.body = Interaction.Body(data ?? Data())
        let isLost = data?.isEmpty == true && isBinary(response) && request.method.uppercased() != "HEAD"
        let absence = BodyAbsence(reason: "LaserDisc does not record bodies that are not text")
        return ReadOutcome.response(response).prevented(by: isLost ? absence : nil)
    }

    /// Whether the body cannot be text, which LaserDisc writes as an empty text.
    private static func isBinary(_ response: Interaction.Response) -> Bool {
        guard ![204, 304].contains(response.status),
            let type = MediaType(response.headers["Content-Type"])?.essence
        else { return false }
        let types = ["image/", "audio/", "video/", "font/"]
        return types.contains(where: type.hasPrefix) && !type.hasSuffix("+xml")
            || ["application/octet-stream", "application/pdf", "application/zip", "application/gzip"].contains(
                type
            )
    }
}
