import Foundation
import Rewind

/// What a body is, as its media type promises and its bytes keep.
enum BodyKind {
    case empty
    case json(JSON)
    case form(FormFields)
    case multipart(MultipartContent)
    /// XML, indented.
    case xml(String)
    case text(String)
    case image(ImageFormat, ImageSize?)
    /// Bytes that nobody can read, with a name for what they are.
    case binary(String)

    /// Looks at a body.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The field that tells of them.
    init(_ data: Data, contentType: String?) {
        let type = MediaType(contentType)
        if data.isEmpty {
            self = .empty
        } else if let format = ImageFormat(data) {
            self = .image(format, ImageSize(data, format))
        } else {
            self =
                Self.promised(data, type, contentType) ?? Self.plain(data, type)
                ?? Self.text(data, type, contentType) ?? .binary(BinaryName.of(data, type))
        }
    }

    /// What the media type names, where the bytes are that.
    private static func promised(_ data: Data, _ type: MediaType?, _ contentType: String?) -> BodyKind? {
        switch type?.essence {
        case "application/x-www-form-urlencoded": FormFields(data).map(BodyKind.form)
        case let essence? where essence.hasPrefix("multipart/"):
            (type?.parameters["boundary"] ?? MultipartContent.boundary(beginning: data))
                .flatMap { MultipartContent(data, boundary: $0) }.map(BodyKind.multipart)
        case let essence? where essence.hasSuffix("/xml") || essence.hasSuffix("+xml"):
            TextEncoding.text(data, sentAs: contentType).flatMap(XMLText.indented).map(BodyKind.xml)
        default: nil
        }
    }

    /// What the bytes plainly are, whatever their media type says.
    private static func plain(_ data: Data, _ type: MediaType?) -> BodyKind? {
        let isJSON = type?.isJSON ?? false
        switch data.first(where: { !" \t\r\n".utf8.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return (try? JSON(parsing: data)).map(BodyKind.json)
        case UInt8(ascii: "<") where type == nil && data.starts(with: "<?xml".utf8):
            return String(wellFormed: data).flatMap(XMLText.indented).map(BodyKind.xml)
        default: return isJSON ? (try? JSON(parsing: data)).map(BodyKind.json) : nil
        }
    }

    /// Text in the encoding that the media type tells of, unless it has characters that no text has.
    private static func text(_ data: Data, _ type: MediaType?, _ contentType: String?) -> BodyKind? {
        guard let text = TextEncoding.text(data, sentAs: contentType) else { return nil }
        // A type that promises text may hold colours of a terminal, which are shown as escapes.
        let isPromised = type.map { $0.essence.hasPrefix("text/") || $0.isJSON } ?? false
        let isText = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7F || 0x09...0x0D ~= byte || isPromised && byte != 0
        }
        return isText ? .text(text) : nil
    }
}

extension BodyKind {
    /// What it is, in a word or a few.
    var name: String {
        switch self {
        case .empty: "no bytes"
        case .json(let json): Self.operations(in: json) ?? "JSON"
        case .form(let form): "form, \(Counted.text(form.fields.count, "field"))"
        case .multipart(let content): "multipart, \(Counted.text(content.parts.count, "part"))"
        case .xml: "XML"
        case .text: "text"
        case .image(let format, let size):
            "\(format.rawValue) image" + (size.map { ", \($0.width) × \($0.height) pixels" } ?? "")
        case .binary(let name): name
        }
    }

    private static func operations(in json: JSON) -> String? {
        guard let operations = GraphQLOperation.all(in: json) else { return nil }
        return "GraphQL " + operations.map(\.title).joined(separator: ", ")
    }
}

extension GraphQLOperation {
    /// What the operation does and its name: `query Hero`.
    var title: String {
        [kind?.rawValue, name].compactMap { $0 }.joined(separator: " ")
    }
}
