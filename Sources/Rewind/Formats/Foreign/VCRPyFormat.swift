import Foundation

/// The JSON files of early versions of vcrpy, which contain no version number: the URL is split into parts, and the
/// headers of the response are lines. It compares method and URL: `matching = [.method, .url]`.
package enum VCRPyFormat: InflatingCassetteReader {
    package static let name = "vcrpy 0 JSON"

    /// An array of objects whose requests have a `protocol` or a `host`.
    package static func recognizes(_ data: Data) -> Bool {
        let path: [FormatDetector.Step] = [.firstElement, .member("request")]
        return FormatDetector.firstMember(of: ["protocol", "host"], at: path, in: data) != nil
    }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        var budget = InflationBudget(limits)
        let entries = try JSONEntries(data, at: []).entries
        let cassette = Cassette(interactions: try entries.map { try interaction($0, &budget) })
        guard let first = entries.first, cassette.interactions.allSatisfy({ $0.request.url.isEmpty }),
            case .unknown(let reason) = cassette.interactions[0].outcome
        else { return cassette }
        throw first.problem("no interaction can be read: \(reason)")
    }

    private static func interaction(_ field: JSONField, _ budget: inout InflationBudget) throws -> Interaction {
        var reading = EntryReading()
        let entry = reading.value { try field.object() }
        let recorded = reading.value { try entry?.required("request").object() }
        let response = reading.value { try entry?.required("response").object() }
        var request = Interaction.Request(
            method: reading.value { try recorded?.required("method").string() } ?? "",
            url: reading.value { try recorded.map { try url($0) } } ?? "",
            headers: reading.headers(recorded?["headers"])
        )
        request.readVCRBody(of: recorded)
        var answer = response?.vcrStatus(&reading) ?? Interaction.Response(status: 0)
        for line in reading.value({ try response?["headers"]?.elements() }) ?? [] {
            reading.value { () throws -> Void? in
                let parts = try line.string().split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else {
                    throw line.problem("expected a header field, such as `Content-Type: text/plain`")
                }
                answer.headers.append(
                    String(parts[0]),
                    parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
                )
            }
        }
        let outcome = try ReadOutcome.reading(answer) {
            guard let response else { return Interaction.Body() }
            return try response.vcrBody(of: answer, to: request.method, nil, &budget)
        }
        return Interaction(
            request: request,
            read: outcome,
            preventedBy: reading.absence,
            startedAt: .distantPast
        )
    }

    private static func url(_ field: JSONField) throws -> String {
        let scheme = try part("protocol", of: field) ?? "http"
        let port = try field["port"]?.integer()
        let suffix = port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        let host = try field.required("host").string()
        return "\(scheme)://\(host)\(suffix)\(try part("path", of: field) ?? "/")"
    }

    /// A part that may be missing. What a null was is unknown.
    private static func part(_ name: String, of field: JSONField) throws -> String? {
        field.value[name] == nil ? nil : try field.required(name).string()
    }
}
