import Foundation
import Rewind

/// A body as a person reads it, with nothing in it that a terminal would obey.
struct BodyText {
    /// What it is and how large.
    let title: String
    /// What can be read of it; `nil` where nothing can.
    let text: String?
    /// Whether the text is JSON.
    let isJSON: Bool
    /// The kind of image it is, where it is one.
    let image: ImageFormat?

    /// How many multipart bodies may stand in one another before one is shown as text.
    private static let maximumDepth = 4

    /// Reads a body.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The field that tells of them.
    init(_ data: Data, contentType: String?) {
        self.init(data, contentType: contentType, depth: 0)
    }

    private init(_ data: Data, contentType: String?, depth: Int) {
        let kind = BodyKind(data, contentType: depth < Self.maximumDepth ? contentType : nil)
        title = VisibleText.line(kind.name) + (data.isEmpty ? "" : ", " + ByteCount(data.count).description)
        var (isJSON, image): (Bool, ImageFormat?) = (false, nil)
        switch kind {
        case .empty, .binary: text = nil
        case .image(let format, _): (text, image) = (nil, format)
        case .json(let json):
            isJSON = true
            text = VisibleText.json(json)
        case .form(let form): text = Self.table(form)
        case .multipart(let content): text = Self.parts(content, depth: depth)
        case .xml(let string), .text(let string):
            let lines = VisibleText.lines(string)
            // The end of the last line is not the beginning of another.
            text = lines.hasSuffix("\n") ? String(lines.dropLast()) : lines
        }
        self.isJSON = isJSON
        self.image = image
    }

    private static func table(_ form: FormFields) -> String {
        var table = TextTable([.left, .left])
        for field in form.fields {
            table.add([VisibleText.line(field.name)] + (field.value.map { [VisibleText.line($0)] } ?? []))
        }
        return table.lines().joined(separator: "\n")
    }

    private static func parts(_ content: MultipartContent, depth: Int) -> String {
        content.parts.enumerated().map { index, part in
            let type = part.headers["Content-Type"]
            let name = part.name.map { "name \"\($0)\"" }
            let file = part.fileName.map { "file \"\($0)\"" }
            let details = [name, file, type].compactMap { $0 }.map(VisibleText.line).joined(separator: ", ")
            let body = BodyText(part.content, contentType: type ?? "text/plain", depth: depth + 1)
            return
                "── part \(index + 1)\(details.isEmpty ? "" : ": " + details)\n\(body.text ?? "[\(body.title)]")"
        }.joined(separator: "\n\n")
    }
}

/// How much of a long text is shown.
struct TextLimit: Sendable {
    /// The number of lines.
    let lines: Int
    /// The number of bytes.
    let bytes: Int

    /// What a person reads on a terminal.
    static let terminal = TextLimit(lines: 100, bytes: 10_000)
    /// What a page holds.
    static let page = TextLimit(lines: 20_000, bytes: 500_000)

    /// Cuts a text where it is longer.
    /// - Returns: What is shown, and a note of what is not; `nil` where all is.
    func cut(_ text: String) -> (shown: Substring, note: String?) {
        var count = 0
        var lineCount = 1
        let end = text.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "\n") { lineCount += 1 }
            count += 1
            // A character of several bytes is not cut in two.
            return lineCount > lines || count > bytes && byte & 0xC0 != 0x80
        }
        guard let end else { return (text[...], nil) }
        let rest = text.utf8[end...]
        let more = rest.count { $0 == UInt8(ascii: "\n") }
        let size = ByteCount(rest.count).description
        return (
            text[..<end],
            "… \(more > 0 ? "\(Counted.text(more, "more line")), " : "")\(size); --full shows all of it"
        )
    }
}
