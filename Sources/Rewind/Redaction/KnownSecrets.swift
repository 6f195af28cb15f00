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
        switch interaction.outcome {
        case .response(let response): redacted.outcome = .response(removed(from: response))
        case .failure(var failure, let partial):
            failure.message = replacer.replacing(in: failure.message) ?? failure.message
            redacted.outcome = .failure(failure, after: partial.map(removed))
        case .unknown: break
        }
        // Where only a copy of a secret stood, no name said so.
        if redacted != interaction { redacted.note(Interaction.copiesOfSecrets) }
        return redacted
    }

    func removed(from request: Request) -> Request {
        var request = request
        request.url = replacer.replacing(in: request.url, spelling: .percent) ?? request.url
        request.headers = removed(from: request.headers)
        if let body = request.body {
            let redacted = removed(from: body, mediaType: request.headers["Content-Type"])
            request.headers.adjustLength(from: body.count, to: redacted.count)
            request.body = redacted
        }
        return request
    }

    private func removed(from response: Response) -> Response {
        var response = response
        response.headers = removed(from: response.headers)
        let redacted = removed(from: response.body, mediaType: response.headers["Content-Type"])
        response.headers.adjustLength(from: response.body.count, to: redacted.count)
        response.body = redacted
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

    private func removed(from body: Body, mediaType: String?) -> Body {
        let spelling = Self.spelling(of: MediaType(mediaType)?.essence ?? "")
        return body.edited { replacer.replacing(in: $0, spelling: spelling) ?? $0 }
    }

    private static func spelling(of essence: String) -> Placeholder.Spelling {
        switch essence {
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

extension Body {
    /// The body after an edit of its bytes, in pieces as it was.
    func edited(_ edit: (Data) -> Data) -> Body {
        let new = edit(data)
        guard new != data else { return self }
        guard !chunks.isEmpty else { return Body(new) }
        let pieces = pieces.map { edit(Data($0)) }
        let counts =
            pieces.reduce(0) { $0 + $1.count } == new.count && Data(pieces.joined()) == new
            ? pieces.map(\.count) : scaledCounts(to: new.count)
        let edited = zip(chunks, counts).filter { $1 > 0 }.map { Chunk(offset: $0.offset, count: $1) }
        return Body(new, chunks: edited)
    }

    /// Where a secret lies across pieces, their sizes can only be kept in proportion.
    private func scaledCounts(to total: Int) -> [Int] {
        var end = 0
        var previous = 0
        return chunks.map { chunk in
            end += chunk.count
            let place = Int((Double(end) / Double(max(1, count)) * Double(total)).rounded())
            defer { previous = place }
            return place - previous
        }
    }
}

extension HeaderList {
    /// Keeps a length true that was true.
    mutating func adjustLength(from old: Int, to new: Int) {
        guard old != new, self["Content-Length"] == String(old) else { return }
        self["Content-Length"] = String(new)
    }
}
