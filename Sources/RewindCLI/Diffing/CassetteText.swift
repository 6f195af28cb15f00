import Foundation
import Rewind

/// A cassette as a text that is the same for the same conversation, whenever it was recorded and in whatever format.
///
/// Only requests begin at the start of a line, so that `git diff` shows them above the lines that changed.
enum CassetteText {
    /// The whole text, with a line feed at the end of each line.
    static func of(_ reel: any InteractionList) -> String {
        reel.indices.map { of(reel[$0]) }.joined(separator: "\n")
    }

    private static func of(_ interaction: Interaction) -> String {
        var lines = ["\(interaction.request)"]
        lines += message(interaction.request.headers, interaction.request.body)
        lines.append("")
        lines.append("  " + interaction.answerLine)
        if let response = interaction.response { lines += message(response.headers, response.body) }
        return lines.map { VisibleText.lines($0) + "\n" }.joined()
    }

    private static func message(_ headers: HeaderList, _ body: Body?) -> [String] {
        let fields = headers.withoutPseudoFields.map { "\($0.name): \($0.value)" }
        let content = lines(of: body ?? Body(), headers)
        let gap = fields.isEmpty || content.isEmpty ? [] : [""]
        return (fields + gap + content).map { $0.isEmpty ? "" : "    " + $0 }
    }

    private static func lines(of body: Body, _ headers: HeaderList) -> [String] {
        switch BodyContent(of: Request(url: "", headers: headers, body: body)) {
        case .none: []
        case .json(let json, _): lines(String(decoding: json.serialized(), as: UTF8.self))
        case .form(let form):
            form.fields.map { field in ([field.name] + [field.value].compactMap { $0 }).joined(separator: " = ")
            }
        case .multipart(let content):
            content.parts.flatMap { part in
                part.headers.map { "\($0.name): \($0.value)" }
                    + text(part.content, part.headers).map { "  " + $0 }
            }
        case .bytes(let data, _): text(data, headers)
        }
    }

    private static func text(_ data: Data, _ headers: HeaderList) -> [String] {
        HARBody.isText(data)
            ? lines(String(decoding: data, as: UTF8.self)) : ["(\(BodySummary(data, headers)))"]
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
