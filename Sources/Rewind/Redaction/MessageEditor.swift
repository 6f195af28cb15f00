import Foundation

enum MessageKind: String {
    case request
    case response
}

enum MessagePart {
    case url
    case header(String, of: MessageKind)
    case statusText
    case failure
}

/// Edits every text of an interaction that may contain a secret.
protocol MessageEditor {
    /// Returns the edited text; `nil` if the text does not change.
    func edited(_ text: String, at part: MessagePart) -> String?
    /// Returns the edited body; `nil` if the body does not change.
    func edited(_ body: Data, mediaType: String?, of message: MessageKind) -> Data?
}

extension MessageEditor {
    func edited(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.request = edited(interaction.request)
        // Platforms include the URL in the description of an error.
        interaction.changeFailure { $0.changeTexts { edited($0, at: .failure) ?? $0 } }
        interaction.changeResponse { $0 = edited($0) }
        return interaction
    }

    func edited(_ request: Interaction.Request) -> Interaction.Request {
        var request = request
        let type = request.headers["Content-Type"]
        if let url = edited(request.url, at: .url) { request.url = url }
        edit(&request.headers, of: .request)
        if let body = request.body {
            request.body = edited(body, mediaType: type, of: .request, &request.headers)
        }
        return request
    }

    func edited(_ response: Interaction.Response) -> Interaction.Response {
        var response = response
        let type = response.headers["Content-Type"]
        if let text = edited(response.statusText, at: .statusText) { response.statusText = text }
        edit(&response.headers, of: .response)
        response.body = edited(response.body, mediaType: type, of: .response, &response.headers)
        return response
    }

    private func edit(_ headers: inout HeaderList, of message: MessageKind) {
        for index in headers.fields.indices {
            let field = headers.fields[index]
            if let value = edited(field.value, at: .header(field.name, of: message)) {
                headers.fields[index].value = value
            }
        }
    }

    /// Preserves the chunks of the body, and updates a `Content-Length` that was correct.
    private func edited(
        _ body: Interaction.Body,
        mediaType: String?,
        of message: MessageKind,
        _ headers: inout HeaderList
    )
        -> Interaction.Body
    {
        guard !body.isEmpty, let new = edited(body.data, mediaType: mediaType, of: message), new != body.data
        else { return body }
        if new.count != body.count, headers["Content-Length"] == String(body.count) {
            headers["Content-Length"] = String(new.count)
        }
        guard !body.chunks.isEmpty else { return Interaction.Body(new) }
        let pieces = body.pieces.map { edited($0, mediaType: mediaType, of: message) ?? $0 }
        let counts = Data(pieces.joined()) == new ? pieces.map(\.count) : body.scaledCounts(to: new.count)
        let chunks = zip(body.chunks, counts).filter { $1 > 0 }.map {
            Interaction.Body.Chunk(offset: $0.offset, count: $1)
        }
        return Interaction.Body(new, chunks: chunks)
    }
}

extension Interaction.Body {
    /// If a secret spans chunks, only the proportions of their sizes are preserved.
    fileprivate func scaledCounts(to total: Int) -> [Int] {
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
