import Foundation

@testable import Rewind

/// A message in a file of `Messages`, with its labelled values.
struct LabelledMessage {
    enum Part: Hashable {
        case url
        case requestHeader(Int)
        case requestBody
        case responseHeader(Int)
        case responseBody
    }

    let category: String
    let title: String
    /// The number of the message in the whole set, counted from 0.
    let number: Int
    let interaction: Interaction
    let encodings: (request: MessageCharset, response: MessageCharset)
    let values: [(part: Part, value: LabelledValue)]

    /// The text of a part; `nil` if the interaction does not have the part.
    func text(of part: Part, in interaction: Interaction) -> String? {
        let (request, response) = (interaction.request, interaction.response)
        switch part {
        case .url: return request.url
        case .requestHeader(let index): return request.headers.fields.dropFirst(index).first?.value
        case .requestBody: return request.body.map { encodings.request.decoded($0.data) }
        case .responseHeader(let index): return response?.headers.fields.dropFirst(index).first?.value
        case .responseBody: return response.map { encodings.response.decoded($0.body.data) }
        }
    }

    /// The interaction without some texts.
    func removing(_ texts: [String], from interaction: Interaction) -> Interaction {
        guard !texts.isEmpty else { return interaction }
        func removed(_ text: String) -> String {
            texts.reduce(text) { $0.replacingOccurrences(of: $1, with: "-") }
        }
        func removed(_ body: Interaction.Body, _ charset: MessageCharset) -> Interaction.Body {
            charset.encoded(removed(charset.decoded(body.data))).map { Interaction.Body($0) } ?? body
        }
        func removed(_ headers: HeaderList) -> HeaderList {
            HeaderList(headers.map { HeaderList.Field(name: $0.name, value: removed($0.value)) })
        }
        var result = interaction
        result.request.url = removed(interaction.request.url)
        result.request.headers = removed(interaction.request.headers)
        result.request.body = interaction.request.body.map { removed($0, encodings.request) }
        if var response = interaction.response {
            response.headers = removed(response.headers)
            response.body = removed(response.body, encodings.response)
            result.outcome = .response(response)
        }
        return result
    }

    /// All parts of an interaction, including those without labels.
    func texts(of interaction: Interaction) -> [(part: Part, text: String)] {
        let headers = interaction.request.headers.indices.map { Part.requestHeader($0) }
        let answers = (interaction.response?.headers.indices).map { $0.map { Part.responseHeader($0) } } ?? []
        return ([.url, .requestBody, .responseBody] + headers + answers).compactMap { part in
            text(of: part, in: interaction).map { (part, $0) }
        }
    }
}

/// The messages of the labelled set. `Messages/*.txt` contain them in this form:
///
///     === Title of a message
///     [encodings: utf-16le iso-8859-1]
///     POST https://api.example.com/login
///     Content-Type: application/json
///
///     {"password": "⟦secret:hunter2⟧"}
///     <<< 200
///     Content-Type: application/json
///
///     {"theme": "⟦keep:dark⟧"}
///
/// The request or the response may be absent. Without a line of encodings, the charset of the media type applies.
struct LabelledMessages {
    let messages: [LabelledMessage]

    static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Messages")
    }

    init() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder,
            includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "txt" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
        var messages: [LabelledMessage] = []
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            let category = file.deletingPathExtension().lastPathComponent
            do {
                messages += try Self.messages(in: text, category: category, after: messages.count)
            } catch let problem as LabelledText.Problem {
                throw LabelledText.Problem(description: "\(file.lastPathComponent), \(problem)")
            }
        }
        self.messages = messages
    }

    private static func messages(in text: String, category: String, after count: Int) throws
        -> [LabelledMessage]
    {
        let lines = text.components(separatedBy: "\n")
        let starts = lines.indices.filter { lines[$0].hasPrefix("=== ") }
        var messages: [LabelledMessage] = []
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : lines.count
            let title = String(lines[start].dropFirst(4))
            var first = start + 1
            var names = [""]
            if lines[first].hasPrefix("[encoding") {
                let list = lines[first].drop { $0 != ":" }.dropFirst().dropLast()
                names = list.split(separator: " ").map(String.init)
                first += 1
            }
            for name in names {
                let block = Block(
                    lines: lines[first..<end].map { $0.replacingOccurrences(of: "⟦charset⟧", with: name) },
                    line: first + 1,
                    encoding: name.isEmpty ? nil : MessageCharset(name)
                )
                messages.append(
                    try block.message(category: category, title: title, number: count + messages.count)
                )
            }
        }
        return messages
    }
}

/// The lines of one message.
private struct Block {
    let lines: [String]
    let line: Int
    let encoding: MessageCharset?

    func message(category: String, title: String, number: Int) throws -> LabelledMessage {
        let separator = lines.firstIndex { $0.hasPrefix("<<< ") } ?? lines.count
        var values: [(LabelledMessage.Part, LabelledValue)] = []
        var request = Interaction.Request(url: "https://api.example.com/v1/resource")
        var requestEncoding = MessageCharset.utf8
        if let first = lines.first, separator > 0, !first.isEmpty {
            let words = first.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { throw LabelledText.Problem(description: "line \(line): no URL") }
            let url = try LabelledText(words[1], line: line)
            request.method = words[0]
            request.url = url.text
            values += url.values.map { (.url, $0) }
            let part = try message(1..<separator) {
                .requestHeader($0)
            } body: {
                .requestBody
            }
            request.headers = part.headers
            request.body = part.body
            requestEncoding = part.encoding
            values += part.values
        }
        var response = Interaction.Response()
        var responseEncoding = MessageCharset.utf8
        if separator < lines.count {
            response.status = Int(lines[separator].dropFirst(4)) ?? 200
            let part = try message(separator + 1..<lines.count) {
                .responseHeader($0)
            } body: {
                .responseBody
            }
            response.headers = part.headers
            response.body = part.body ?? Interaction.Body()
            responseEncoding = part.encoding
            values += part.values
        }
        return LabelledMessage(
            category: category,
            title: title,
            number: number,
            interaction: Interaction(request: request, outcome: .response(response)),
            encodings: (requestEncoding, responseEncoding),
            values: values
        )
    }

    private struct Content {
        var headers = HeaderList()
        var body: Interaction.Body?
        var encoding = MessageCharset.utf8
        var values: [(LabelledMessage.Part, LabelledValue)] = []
    }

    private func message(
        _ range: Range<Int>,
        header: (Int) -> LabelledMessage.Part,
        body: () -> LabelledMessage.Part
    ) throws -> Content {
        var content = Content()
        let end = lines[range].firstIndex(of: "") ?? range.upperBound
        for index in range.lowerBound..<end {
            guard let colon = lines[index].range(of: ": ") else {
                throw LabelledText.Problem(description: "line \(line + index): no header field")
            }
            let value = try LabelledText(lines[index][colon.upperBound...], line: line + index)
            content.values += value.values.map { (header(content.headers.count), $0) }
            content.headers.append(String(lines[index][..<colon.lowerBound]), value.text)
        }
        let mediaType = content.headers["Content-Type"] ?? ""
        let charset = mediaType.lowercased().components(separatedBy: "charset=").dropFirst().first
        content.encoding = encoding ?? MessageCharset(charset ?? "utf-8")
        var rest = lines[min(end + 1, range.upperBound)..<range.upperBound].joined(separator: "\n")
        while rest.hasSuffix("\n") { rest.removeLast() }
        guard !rest.isEmpty else { return content }
        if mediaType.hasPrefix("multipart/") { rest = rest.replacingOccurrences(of: "\n", with: "\r\n") }
        let text = try LabelledText(rest, line: line + end + 1)
        guard let data = content.encoding.encoded(text.text) else {
            throw LabelledText.Problem(
                description: "line \(line + end + 1): the text cannot be written in \(content.encoding.name)"
            )
        }
        content.values += text.values.map { (body(), $0) }
        content.body = Interaction.Body(data)
        return content
    }
}
