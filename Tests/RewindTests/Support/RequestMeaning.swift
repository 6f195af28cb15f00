import Foundation
import Rewind

/// What a request means, known without taking a URL or a body apart, so that it can be spelled in many ways.
struct RequestMeaning {
    /// One item of a query or a form, in plain text.
    struct Item: Hashable {
        var name: String
        var value: String?
    }

    /// What the body holds.
    enum Content {
        case none
        case json(JSON)
        case form([Item])
        case multipart([Item])
        case bytes([UInt8])
    }

    var method: String
    var scheme: String
    var user: String?
    var host: String
    var port: Int
    var path: [String]
    var query: [Item]?
    var headers: [Item]
    var content: Content

    /// The meaning in a text: two that share it are the same, by the rules of the default matchers.
    var text: String {
        let items = query.map { query in "?" + query.map(Self.text).sorted().joined(separator: "&") } ?? ""
        let url = "\(scheme) \(user ?? "-") \(host) \(port) \(path) \(items)"
        return "\(method) \(url) \(contentText)"
    }

    private var contentText: String {
        switch content {
        case .none: "none"
        case .json(let json): "json \(json.canonicalText() ?? "")"
        case .form(let items): "form \(items.map(Self.text).sorted())"
        case .multipart(let parts): "multipart \(parts.map(Self.text))"
        case .bytes(let bytes): "bytes \(bytes)"
        }
    }

    private static func text(_ item: Item) -> String {
        PercentEncoding.encoded(item.name) + (item.value.map { "=" + PercentEncoding.encoded($0) } ?? "")
    }
}
