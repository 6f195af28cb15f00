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
        return Cassette(interactions: try entries.map { try interaction($0, &budget) })
    }

    private static func interaction(_ field: JSONField, _ budget: inout InflationBudget) throws -> Interaction {
        let field = try field.object()
        let request = try field.required("request").object()
        let response = try field.required("response").object()
        var answer = try response.vcrStatus()
        for line in try response["headers"]?.elements() ?? [] {
            let parts = try line.string().split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else {
                throw line.problem("expected a header field, such as `Content-Type: text/plain`")
            }
            answer.headers.append(String(parts[0]), parts[1].trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let body = try request["body"].flatMap { try $0.string() }.map { Interaction.Body($0) }
        let outcome = try Interaction.Outcome.reading {
            answer.body = try response.vcrBody(answer.headers, &budget)
            return answer
        }
        return Interaction(
            request: Interaction.Request(
                method: try request.required("method").string(),
                url: try url(request),
                headers: try request["headers"]?.headerFields() ?? HeaderList(),
                body: body
            ),
            outcome: outcome,
            startedAt: .distantPast
        )
    }

    private static func url(_ field: JSONField) throws -> String {
        let scheme = try field["protocol"]?.string() ?? "http"
        let port = try field["port"]?.integer()
        let suffix = port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        let host = try field.required("host").string()
        return "\(scheme)://\(host)\(suffix)\(try field["path"]?.string() ?? "/")"
    }
}
