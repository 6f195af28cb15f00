import Foundation
import Rewind
import RewindTestSupport

/// Creates random requests as `Meaning` values, changes them, and writes each in different notations.
struct RandomRequests {
    typealias Item = RequestMeaning.Item

    private var json: RandomJSON
    private var generator: SplitMix64 {
        get { json.generator }
        set { json.generator = newValue }
    }
    /// Whether few values are used, so that many requests are equal or almost equal.
    private let areFew: Bool

    init(seed: UInt64, areFew: Bool = false) {
        json = RandomJSON(seed: seed)
        self.areFew = areFew
    }

    mutating func meaning() -> RequestMeaning {
        let scheme = pick("http", "https")
        return RequestMeaning(
            method: pick("GET", "POST"),
            scheme: areFew ? "https" : scheme,
            user: pick(nil, nil, "u:p"),
            host: pick("h.example", "[::1]", "xn--bcher-kva.example"),
            port: pick(Self.port(of: areFew ? "https" : scheme), 8080),
            path: areFew ? [pick("a", "b")] : (0..<count(3)).map { _ in pick("a", "", "ü /", "~%", "b+|") },
            query: pick(true, false) ? nil : items(),
            headers: items().map { Item(name: "X-" + ($0.name == "a" ? "A" : "B"), value: $0.value ?? "") },
            content: content()
        )
    }

    private mutating func content() -> RequestMeaning.Content {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .json(areFew ? pick(["a": 1], ["a": [1, 2]], [1]) : json.value())
        case 1:
            let items = items()
            return items.isEmpty ? .none : .form(items)
        case 2: return .multipart([Item(name: "a", value: pick("1", "2", "ü\r\n"))] + parts())
        case 3: return .bytes(areFew ? [pick(0, 0xFF)] : [1] + generator.bytes(upTo: 20, from: "{}[]=&\r\n-"))
        default: return .none
        }
    }

    private mutating func items() -> [Item] {
        (0..<count(areFew ? 1 : 4)).map { _ in
            Item(name: pick("a", "b[]", "ü", "é & b"), value: pick(nil, "", "1", "a=b&c", "%2F"))
        }
    }

    private mutating func parts() -> [Item] {
        items().map { Item(name: $0.name, value: $0.value ?? "") }
    }

    static func port(of scheme: String) -> Int { scheme == "http" ? 80 : 443 }

    private mutating func count(_ limit: Int) -> Int { Int.random(in: 0...limit, using: &generator) }

    mutating func pick<Value>(_ choices: Value...) -> Value {
        choices[Int.random(in: choices.indices, using: &generator)]
    }
}

// MARK: Changes

extension RandomRequests {
    /// The meaning with one change.
    mutating func changed(_ meaning: RequestMeaning) -> RequestMeaning {
        var other = meaning
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: other.method += "X"
        case 1:
            other.scheme = meaning.scheme == "http" ? "https" : "http"
        case 2: other.user = meaning.user == nil ? "u" : nil
        case 3: other.host = "other.example"
        case 4: other.port += 1
        case 5: other.path.append("c")
        case 6, 7: other.query = meaning.query.map { changed($0) } ?? []
        default: other.content = changed(meaning.content)
        }
        return other
    }

    private mutating func changed(_ items: [Item]) -> [Item] {
        var items = items
        guard let position = items.indices.randomElement(using: &generator) else {
            return [Item(name: "a", value: nil)]
        }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: items.remove(at: position)
        case 1: items.append(items[position])
        case 2: items[position].name += "x"
        default: items[position].value = (items[position].value ?? "") + "x"
        }
        return items
    }

    private mutating func changed(_ content: RequestMeaning.Content) -> RequestMeaning.Content {
        switch content {
        case .none: return .bytes([0])
        case .json(let value): return .json(json.changed(value) ?? .array([value]))
        case .form(let items):
            let items = changed(items)
            return items.isEmpty ? .none : .form(items)
        case .multipart(let parts):
            let parts = changed(parts)
            return parts.isEmpty ? .none : .multipart(parts)
        case .bytes(var bytes):
            guard let position = bytes.indices.randomElement(using: &generator) else { return .bytes([0]) }
            bytes[position] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            return .bytes(bytes)
        }
    }

    /// The meaning with additional items, fields, parts, JSON members and headers named `t`.
    mutating func noisy(_ meaning: RequestMeaning) -> RequestMeaning {
        var other = meaning
        // An empty query has a question mark, which stays.
        if meaning.query?.isEmpty != true {
            let query = noisy(meaning.query ?? [])
            other.query = query.isEmpty ? nil : query
        }
        other.headers = noisy(meaning.headers).map { $0.name == "t" ? Item(name: "X-T", value: "1") : $0 }
        switch meaning.content {
        case .json(let value): other.content = .json(noisy(value))
        case .form(let items): other.content = .form(noisy(items))
        case .multipart(let parts):
            other.content = .multipart(noisy(parts).map { Item(name: $0.name, value: $0.value ?? "") })
        case .none:
            let items = noisy([])
            if !items.isEmpty { other.content = .form(items) }
        case .bytes: break
        }
        return other
    }

    private mutating func noisy(_ items: [Item]) -> [Item] {
        (0..<count(2)).reduce(into: items) { items, _ in
            let noise = Item(name: "t", value: pick(nil, "", "1", "2"))
            items.insert(noise, at: Int.random(in: 0...items.count, using: &generator))
        }
    }

    private mutating func noisy(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): return .array(elements.map { noisy($0) })
        case .object(let object):
            var members = object.members.map { JSONObject.Member(name: $0.name, value: noisy($0.value)) }
            if pick(true, false) { members.append(JSONObject.Member(name: "t", value: json.value(depth: 1))) }
            return .object(JSONObject(members.shuffled(using: &generator)))
        default: return value
        }
    }
}

// MARK: Notations

extension RandomRequests {
    /// The same bytes with any media type.
    mutating func retyped(_ request: Interaction.Request) -> Interaction.Request {
        var request = request
        request.headers.removeAll(named: "Content-Type")
        if let type = Types.all.randomElement(using: &generator) ?? nil {
            request.headers.append("Content-Type", type)
        }
        return request
    }

    mutating func sometimesRetyped(_ meaning: RequestMeaning) -> Interaction.Request {
        let request = spelled(meaning)
        return pick(true, false) ? retyped(request) : request
    }

    /// One of the many notations of a request.
    mutating func spelled(_ meaning: RequestMeaning) -> Interaction.Request {
        let isDefaultPort = meaning.port == Self.port(of: meaning.scheme)
        var url = pick(meaning.scheme, meaning.scheme.uppercased()) + "://"
        url += meaning.user.map { "\($0)@" } ?? ""
        let host = meaning.host == "xn--bcher-kva.example" ? pick(meaning.host, "bücher.example") : meaning.host
        url += pick(host, host.uppercased())
        url += isDefaultPort && pick(true, false) ? pick("", ":") : ":\(meaning.port)"
        url += meaning.path.map { "/" + spelled($0) }.joined()
        if let query = meaning.query {
            url += "?" + query.shuffled(using: &generator).map { spelled($0) }.joined(separator: "&")
        }
        url += pick("", "#a", "#")
        let (type, body) = spelled(meaning.content)
        var headers = HeaderList()
        for header in meaning.headers {
            headers.append(pick(header.name, header.name.lowercased()), header.value ?? "")
        }
        if let type { headers.append(pick("Content-Type", "content-type"), type) }
        return Interaction.Request(method: meaning.method, url: url, headers: headers, body: body)
    }

    private mutating func spelled(_ content: RequestMeaning.Content) -> (type: String?, body: Interaction.Body?)
    {
        switch content {
        case .none: return (pick(nil, Types.json, Types.form), pick(nil, Interaction.Body()))
        case .json(let value):
            let value = json.respelled(value)
            let isPlain = value.arrayValue != nil || value.objectValue != nil
            let type = isPlain ? pick(nil, Types.form, Types.json) : pick(Types.json, "application/a+json")
            return (
                type, Interaction.Body(pick("", " ", "\n") + String(decoding: value.lineText, as: UTF8.self))
            )
        case .form(let items):
            let fields = items.shuffled(using: &generator).map {
                spelled($0).replacing("%20", with: pick("+", "%20"))
            }
            return (Types.form, Interaction.Body(fields.joined(separator: pick("&", "&&"))))
        case .multipart(let parts):
            let boundary = pick("x", "----------d74496d6", "alamofire.boundary.5c1b")
            let sample = MultipartSample(boundary, parts.map { .field($0.name, $0.value ?? "") })
            let type = pick("multipart/form-data; boundary=\(boundary)", "Multipart/Form-Data", nil)
            return (type, Interaction.Body(sample.data))
        case .bytes(let bytes): return (pick("image/png", "text/plain"), Interaction.Body(Data(bytes)))
        }
    }

    private mutating func spelled(_ item: Item) -> String {
        spelled(item.name) + (item.value.map { "=" + spelled($0) } ?? "")
    }

    /// Encodes all characters that need it, and some others.
    private mutating func spelled(_ text: String) -> String {
        let encoded = PercentEncoding.encoded(text)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return encoded.replacing("b", with: "%62").replacing("a", with: "%61")
        case 1: return encoded.replacing("%C3%BC", with: "ü").replacing("%5B%5D", with: "[]")
        case 2: return encoded.replacing("%2F", with: "%2f").replacing("%7C", with: "|")
        default: return encoded
        }
    }
}

/// The meaning of a request, independent of the notation of its URL and body.
struct RequestMeaning {
    /// An item of a query or a form, decoded.
    struct Item: Hashable {
        var name: String
        var value: String?
    }

    /// The content of the body.
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

    /// A canonical text: two requests with the same text are equal for the default matchers.
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
