import Foundation

/// What a response's body is, as far as one can be told from another without reading values.
enum BodyKind {
    /// No bytes.
    case nothing
    /// A JSON document.
    case json(JSONShape)
    /// A web page.
    case html
    /// Another document of XML.
    case xml
    /// Anything else.
    case other

    /// Reads the body of a response by its media type, or by what it plainly is.
    init(of response: Response) {
        let data = response.body.data
        let essence = MediaType(response.headers["Content-Type"])?.essence ?? ""
        let start = data.prefix(512).drop { " \t\r\n".utf8.contains($0) }
        guard !data.isEmpty else {
            self = .nothing
            return
        }
        let isJSON = essence.hasSuffix("json") || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(start.first)
        if isJSON, let json = try? JSON(parsing: data) {
            self = .json(JSONShape(json))
        } else if essence == "text/html" || Self.begins(start, with: ["<!doctype html", "<html"]) {
            self = .html
        } else if essence.hasSuffix("/xml") || essence.hasSuffix("+xml") || Self.begins(start, with: ["<?xml"])
        {
            self = .xml
        } else {
            self = .other
        }
    }

    /// The kind in a word or two.
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .json: "JSON"
        case .html: "HTML"
        case .xml: "XML"
        case .other: "something else"
        }
    }

    private static func begins(_ bytes: Data, with marks: [String]) -> Bool {
        let text = String(decoding: bytes.prefix(32), as: UTF8.self).lowercased()
        return marks.contains { text.hasPrefix($0) }
    }
}
