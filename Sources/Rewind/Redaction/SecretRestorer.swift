import Foundation

/// Puts secrets back where their placeholders stand in what is played, for those that have a placeholder of their own.
package struct SecretRestorer: Sendable {
    private let secrets: [(placeholder: Placeholder, value: String)]

    /// Creates a restorer; `nil` where nothing is to be put back.
    package init?(_ redaction: Redaction) {
        secrets = redaction.namedSecrets.map { ($1, $0) }.sorted { $0.0.name < $1.0.name }
        guard !secrets.isEmpty else { return nil }
    }

    /// An interaction as the app saw it live.
    package func restored(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.changeResponse { $0 = restored($0) }
        return interaction
    }

    /// A request as the app made it.
    package func restored(_ request: Request) -> Request {
        var request = request
        request.url = restored(request.url)
        for index in request.headers.fields.indices {
            request.headers.fields[index].value = restored(request.headers.fields[index].value)
        }
        let essence = MediaType(request.headers["Content-Type"])?.essence ?? ""
        request.editBody { restored($0, isJSON: essence.hasSuffix("json")) }
        return request
    }

    private func restored(_ response: Response) -> Response {
        var response = response
        for index in response.headers.fields.indices {
            response.headers.fields[index].value = restored(response.headers.fields[index].value)
        }
        let essence = MediaType(response.headers["Content-Type"])?.essence ?? ""
        response.editBody { restored($0, isJSON: essence.hasSuffix("json")) }
        return response
    }

    private func restored(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) || text.utf8.contains(UInt8(ascii: "%")) else {
            return text
        }
        return String(decoding: restored(Data(text.utf8), isJSON: false), as: UTF8.self)
    }

    private func restored(_ data: Data, isJSON: Bool) -> Data {
        secrets.reduce(data) { data, secret in
            let plain = isJSON ? JSONText.encoded(secret.value) : Data(secret.value.utf8)
            let spellings: [(Placeholder.Spelling, Data)] = [
                (.raw, plain), (.percent, Data(PercentEncoding.encoded(secret.value).utf8)),
                (.html, Data(secret.value.escapedForHTML.utf8)),
            ]
            return spellings.reduce(data) { $0.replacing(secret.placeholder.text($1.0), with: $1.1) }
        }
    }
}

extension String {
    /// The text with the characters escaped that mean something in HTML and XML.
    fileprivate var escapedForHTML: String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
            .reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}

extension Data {
    /// The bytes with a text replaced wherever it stands.
    fileprivate func replacing(_ text: String, with replacement: Data) -> Data {
        let pattern = Data(text.utf8)
        guard var range = range(of: pattern) else { return self }
        var result = Data()
        var end = startIndex
        while true {
            result += self[end..<range.lowerBound] + replacement
            end = range.upperBound
            guard let next = self.range(of: pattern, in: end..<endIndex) else { break }
            range = next
        }
        return result + self[end...]
    }
}
