import Foundation

/// Replaces the secrets that are known wherever they stand in a message, whatever the names say.
struct KnownSecrets {
    private let replacer: SecretReplacer

    init(_ replacer: SecretReplacer) {
        self.replacer = replacer
    }

    func removed(from interaction: Interaction) -> Interaction {
        var redacted = interaction
        redacted.request = removed(from: interaction.request)
        redacted.changeFailure { $0.changeTexts { replacer.replacing(in: $0) ?? $0 } }
        redacted.changeResponse { $0 = removed(from: $0) }
        // Where only a copy of a secret stood, no name said so.
        if redacted != interaction { redacted.note(Interaction.copiesOfSecrets) }
        return redacted
    }

    func removed(from request: Request) -> Request {
        var request = request
        request.url = replacer.replacing(in: request.url, spelling: .percent) ?? request.url
        request.headers = removed(from: request.headers)
        guard request.body != nil else { return request }
        let spelling = Self.spelling(ofBodiesOf: request.headers)
        request.editBody { replacer.replacing(in: $0, spelling: spelling) ?? $0 }
        return request
    }

    private func removed(from response: Response) -> Response {
        var response = response
        response.headers = removed(from: response.headers)
        let spelling = Self.spelling(ofBodiesOf: response.headers)
        response.editBody { replacer.replacing(in: $0, spelling: spelling) ?? $0 }
        response.statusText = replacer.replacing(in: response.statusText) ?? response.statusText
        return response
    }

    private func removed(from headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                let name = field.name.lowercased()
                let isURL = name == "location" || name == "content-location" || name == "referer"
                guard let value = replacer.replacing(in: field.value, spelling: isURL ? .percent : .raw) else {
                    return field
                }
                return HeaderList.Field(name: field.name, value: value)
            }
        )
    }

    private static func spelling(ofBodiesOf headers: HeaderList) -> Placeholder.Spelling {
        let essence = MediaType(headers["Content-Type"])?.essence ?? ""
        return switch essence {
        case "application/x-www-form-urlencoded": .percent
        case "text/html", "text/xml", "application/xml", "application/xhtml+xml": .html
        default: essence.hasSuffix("+xml") ? .html : .raw
        }
    }
}

extension Interaction {
    /// What is noted where only copies of secrets stood.
    package static let copiesOfSecrets = "copies of secrets"
}
