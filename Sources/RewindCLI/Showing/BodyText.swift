import Foundation
import Rewind

/// A body as readable text without control characters.
struct BodyText {
    let title: String
    /// The readable text; `nil` if the body is binary or empty.
    let text: String?
    let isJSON: Bool
    let image: ImageFormat?

    init(_ data: Data, contentType: String?) { self.init(data, contentType: contentType, depth: 0) }

    private init(_ data: Data, contentType: String?, depth: Int) {
        let kind = BodyKind(data, contentType: contentType, depth: depth)
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
            // A final line feed does not begin another line.
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

/// The kind of a body, according to its media type and its bytes.
private enum BodyKind {
    case empty
    case json(JSON)
    case form(FormFields)
    case multipart(MultipartContent)
    case xml(String)
    case text(String)
    case image(ImageFormat, ImageSize?)
    /// Bytes that are not readable, with a name for their format.
    case binary(String)

    /// The depth from which a nested multipart body is shown as text.
    private static let maximumDepth = 4

    init(_ data: Data, contentType: String?, depth: Int) {
        let contentType = depth < Self.maximumDepth ? contentType : nil
        let format = ImageFormat(data)
        let headers: HeaderList = contentType.map { ["Content-Type": $0] } ?? [:]
        switch BodyContent(of: Interaction.Body(data), headers) {
        case .none, .unknown: self = .empty
        case _ where format != nil: self = format.map { .image($0, ImageSize(data, $0)) } ?? .empty
        case .json(let json, _): self = .json(json)
        case .form(let form): self = .form(form)
        case .multipart(let content) where contentType != nil: self = .multipart(content)
        case .multipart, .bytes: self = Self(data, contentType)
        }
    }

    /// Recognizes XML, plain text and binary formats, all of which matching compares as bytes.
    private init(_ data: Data, _ contentType: String?) {
        let type = MediaType(contentType)
        let essence = type?.essence ?? ""
        let start = data.first { !" \t\r\n".utf8.contains($0) }
        if start == UInt8(ascii: "{") || start == UInt8(ascii: "["), let json = try? JSON(parsing: data) {
            self = .json(json)
            return
        }
        let isXML =
            essence.hasSuffix("/xml") || essence.hasSuffix("+xml")
            || type == nil && data.starts(with: "<?xml".utf8)
        let text = TextEncoding.text(data, sentAs: contentType)
        if isXML, let indented = text.flatMap(XMLText.indented) {
            self = .xml(indented)
        } else if let text, Self.isReadable(text, type) {
            self = .text(text)
        } else {
            self = .binary(Self.name(of: data, type))
        }
    }

    private static func isReadable(_ text: String, _ type: MediaType?) -> Bool {
        // Text by its media type may contain terminal colors, which are shown as escapes.
        let isText = type.map { $0.essence.hasPrefix("text/") || $0.isJSON } ?? false
        return text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7F || 0x09...0x0D ~= byte || isText && byte != 0
        }
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("%PDF-".utf8), "PDF document"), ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"),
        ([0x1F, 0x8B], "gzip data"), (Array("OggS".utf8), "Ogg media"), (Array("ID3".utf8), "MP3 audio"),
        (Array("wOF2".utf8), "WOFF2 font"), (Array("wOFF".utf8), "WOFF font"),
        ([0, 0x61, 0x73, 0x6D], "WebAssembly"),
        (Array("SQLite format 3".utf8), "SQLite database"), (Array("bplist00".utf8), "binary property list"),
    ]

    /// The format of binary data by its first bytes, or else by its media type.
    private static func name(of data: Data, _ type: MediaType?) -> String {
        if let known = signatures.first(where: { data.starts(with: $0.bytes) }) { return known.name }
        guard let essence = type?.essence, essence != "application/octet-stream" else { return "binary" }
        return "binary (\(VisibleText.line(essence)))"
    }

    var name: String {
        switch self {
        case .empty: "empty"
        case .json(let json): GraphQLOperation.all(in: json).map { "GraphQL \($0.titles)" } ?? "JSON"
        case .form(let form): "form, \(Counted.text(form.fields.count, "field"))"
        case .multipart(let content): "multipart, \(Counted.text(content.parts.count, "part"))"
        case .xml: "XML"
        case .text: "text"
        case .image(let format, let size):
            "\(format.rawValue) image" + (size.map { ", \($0.width) × \($0.height) pixels" } ?? "")
        case .binary(let name): name
        }
    }
}

extension [GraphQLOperation] {
    /// The kinds and names of the operations, such as `query Hero, mutation Add`.
    var titles: String {
        map { [$0.kind?.rawValue, $0.name].compactMap { $0 }.joined(separator: " ") }.joined(separator: ", ")
    }
}

/// How much of a long body is shown.
struct TextLimit: Sendable {
    let lines: Int
    let bytes: Int

    static let terminal = TextLimit(lines: 100, bytes: 10_000)
    static let page = TextLimit(lines: 20_000, bytes: 500_000)

    func cut(_ text: String) -> (shown: Substring, note: String?) {
        var count = 0
        var lineCount = 1
        let end = text.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "\n") { lineCount += 1 }
            count += 1
            // This does not split a character of several bytes.
            return lineCount > lines || count > bytes && byte & 0xC0 != 0x80
        }
        guard let end else { return (text[...], nil) }
        let rest = text.utf8[end...]
        let more = rest.count { $0 == UInt8(ascii: "\n") }
        let size = ByteCount(rest.count).description
        let amount = more > 0 ? "\(Counted.text(more, "more line")), \(size)" : "\(size) more"
        return (text[..<end], "… \(amount); to show everything, use --full")
    }
}
