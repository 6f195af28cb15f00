import Foundation

enum MessageKind: String {
    case request
    case response
}

enum MessagePart {
    case url(of: MessageKind)
    case header(String, of: MessageKind)
    case statusText
    case failure
}

/// Edits every text of an interaction that may contain a secret.
protocol MessageEditor {
    /// Returns the edited text; `nil` if the text does not change.
    func edited(_ text: String, at part: MessagePart) -> String?
    /// Returns the edited text of a body, or of one of its parts; `nil` if it does not change. The text is in UTF-8, or not
    /// text at all.
    func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data?
    /// Whether the editor reads fields, so that it needs each part of a multipart body, and nothing that is not text.
    var readsFields: Bool { get }
}

extension MessageEditor {
    var readsFields: Bool { false }

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
        if let url = edited(request.url, at: .url(of: .request)) { request.url = url }
        edit(&request.headers, of: .request)
        if let body = request.body {
            request.body = edited(body, mediaType: type, of: .request, &request.headers)
        }
        return request
    }

    func edited(_ response: Interaction.Response) -> Interaction.Response {
        var response = response
        let type = response.headers["Content-Type"]
        if let url = response.url { response.url = edited(url, at: .url(of: .response)) ?? url }
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

    /// Edits a body in any character encoding, part by part.
    func edited(_ body: Data, mediaType: String?, of message: MessageKind) -> Data? {
        edited(body, mediaType: mediaType, of: message, part: nil, depth: 0)
    }

    private func edited(_ body: Data, mediaType: String?, of message: MessageKind, part: String?, depth: Int)
        -> Data?
    {
        guard let content = MultipartContent(body, mediaType: mediaType), depth < 8 else {
            return editedText(body, mediaType: mediaType, of: message, part: part)
        }
        let edited = content.replacingContents { part in
            let type = part.headers["Content-Type"]
            // Other editors find what they search for in the whole body, except in text with wide characters.
            guard readsFields || CharacterEncoding(of: part.content, mediaType: type)?.isWide ?? false else {
                return nil
            }
            return self.edited(
                part.content,
                mediaType: type,
                of: message,
                part: part.name ?? "",
                depth: depth + 1
            )
        }
        return readsFields || depth > 0
            ? edited : self.edited(edited, mediaType: nil, of: message, part: nil) ?? edited
    }

    private func editedText(_ body: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
        let encoding = CharacterEncoding(of: body, mediaType: mediaType)
        guard let encoding, let text = encoding.decoded(body) else {
            return readsFields && encoding == nil
                ? nil : edited(body, mediaType: mediaType, of: message, part: part)
        }
        return edited(text, mediaType: mediaType, of: message, part: part).map(encoding.encoded)
    }

    /// Edits the content of a body that the app compressed, or that a client left compressed. Another compressed response is
    /// a file.
    private func editedCompressed(
        _ body: Data,
        mediaType: String?,
        of message: MessageKind,
        _ headers: HeaderList
    ) -> Data? {
        guard message == .request || !headers.contentCodings.isEmpty,
            let compressed = CompressedContent(body, atMost: CassetteLimits.default.maximumInflatedBody)
        else { return nil }
        return edited(compressed.content, mediaType: mediaType, of: message).map(compressed.encoded)
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
        let editedBody =
            body.isEmpty
            ? nil
            : editedCompressed(body.data, mediaType: mediaType, of: message, headers)
                ?? edited(body.data, mediaType: mediaType, of: message)
        guard let new = editedBody, new != body.data else { return body }
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
