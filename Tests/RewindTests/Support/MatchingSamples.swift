import Foundation
import Testing

@testable import Rewind

extension InteractionIndex {
    /// The positions of the interactions with a request's keys, in recorded order.
    func positions(for request: Interaction.Request) -> [Int] {
        place(of: request).map { candidates(at: $0).map(\.position) } ?? []
    }
}

/// Whether a recorded request answers a request. Checks that the index, the matchers in both directions and the
/// differences agree.
func isMatch(
    _ request: Interaction.Request,
    _ recorded: Interaction.Request,
    _ matchers: [RequestMatcher],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let interactions = [Interaction(request: recorded, outcome: .response(Interaction.Response()))]
    let index = InteractionIndex(interactions, matchers: matchers)
    let isFound = !index.positions(for: request).isEmpty
    let agrees = matchers.filter(\.isComparison).allSatisfy { $0.agrees(request, with: recorded) }
    let answer = isFound && agrees
    #expect(
        matchers.allSatisfy { $0.matches(request, recorded) } == answer,
        "\(request) and \(recorded)",
        sourceLocation: sourceLocation
    )
    #expect(
        matchers.allSatisfy { $0.matches(recorded, request) } == answer,
        "\(recorded) and \(request)",
        sourceLocation: sourceLocation
    )
    #expect(
        Difference.between(request, and: recorded, matchers: matchers).isEmpty == answer,
        "the differences of \(request) and \(recorded)",
        sourceLocation: sourceLocation
    )
    return answer
}

extension Interaction.Request {
    /// A POST request with an optional body and media type.
    static func post(_ body: String?, _ type: String? = nil) -> Interaction.Request {
        Interaction.Request(
            method: "POST",
            url: "https://h/",
            headers: type.map { ["Content-Type": $0] } ?? [:],
            body: body.map { Interaction.Body($0) }
        )
    }
}

/// The media types that the tests use.
enum Types {
    static let all = [
        nil, json, form, "text/plain", "image/png", "application/a+json", "multipart/form-data",
        "multipart/form-data; boundary=x", "multipart/mixed; boundary=elsewhere",
    ]
    static let json = "application/json"
    static let form = "application/x-www-form-urlencoded"
}

/// Two bodies with their media types, and whether they are equivalent.
struct BodyPair: Sendable, CustomTestStringConvertible {
    let left: Interaction.Request
    let right: Interaction.Request
    let isEqual: Bool

    init(_ type: String?, _ left: String?, _ right: String?, _ isEqual: Bool) {
        self.init(.post(left, type), .post(right, type), isEqual)
    }

    init(_ left: Interaction.Request, _ right: Interaction.Request, _ isEqual: Bool) {
        (self.left, self.right, self.isEqual) = (left, right, isEqual)
    }

    var testDescription: String { "\(Self.text(left)) and \(Self.text(right))" }

    private static func text(_ request: Interaction.Request) -> String {
        let type = request.headers["Content-Type"].map { $0 + " " } ?? ""
        guard let data = request.body?.data else { return type + "(none)" }
        return type + String(decoding: data, as: UTF8.self).debugDescription
    }
}

/// A recorded request and a different one that is a miss by default.
struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var recorded: Interaction
    var requested: Interaction.Request

    init(_ what: String, _ recorded: Interaction.Request, _ requested: Interaction.Request) {
        testDescription = what
        self.recorded = Interaction(request: recorded, outcome: .response(Interaction.Response()))
        self.requested = requested
    }

    private static func get(_ url: String) -> Interaction.Request { Interaction.Request(url: url) }

    private static func post(_ type: String, _ body: String) -> Interaction.Request {
        Interaction.Request(
            method: "POST",
            url: "https://h/",
            headers: ["Content-Type": type],
            body: Interaction.Body(body)
        )
    }

    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"

    static let all = [
        Change("a query item's value", get("https://h/?a=1&b=2"), get("https://h/?b=3&a=1")),
        Change("an extra query item", get("https://h/?a=1"), get("https://h/?a=1&a=1")),
        Change("an encoded name", get("https://h/?a%5B%5D=1"), get("https://h/?a[]=2")),
        Change("no query", get("https://h/"), get("https://h/?a=1")),
        Change("an empty query", get("https://h/"), get("https://h/?")),
        Change("a segment", get("https://h/users/1/posts"), get("https://h/users/2/posts")),
        Change("another path", get("https://h/users/1"), get("https://h/people")),
        Change("a path's end", get("https://h/a/"), get("https://h/a")),
        Change("the host", get("https://h/a"), get("https://g/a")),
        Change("the scheme", get("https://h/a"), get("http://h/a")),
        Change("the port", get("https://h/a"), get("https://h:8443/a")),
        Change("the user", get("https://ann@h/a"), get("https://h/a")),
        Change("the method", get("https://h/a"), Interaction.Request(method: "PUT", url: "https://h/a")),
        Change("several parts", get("https://h/1/x?t=1"), get("http://g/2/x?t=2")),
        Change("a JSON member", post(json, #"{"a":{"b c":1}}"#), post(json, #"{"a":{"b c":2}}"#)),
        Change("an extra member", post(json, #"{"a":1}"#), post(json, #"{"a":1,"b":[1]}"#)),
        Change("an element", post(json, "[1,2,3]"), post(json, "[1,9,3]")),
        Change("extra elements", post(json, "[1,2,3]"), post(json, "[1,2,3,4,5]")),
        Change("an element in between", post(json, "[1,2,3]"), post(json, "[1,3]")),
        Change("more elements than are listed", post(json, "[]"), post(json, "\(Array(1...20))")),
        Change("another JSON value", post(json, "{}"), post(json, "[]")),
        Change("broken JSON", post(json, "{}"), post(json, "{")),
        Change("a form field", post(form, "a=1&t=1"), post(form, "t=2&a=1")),
        Change("text", post("text/plain", "a\nb"), post("text/plain", "a\nc")),
        Change(
            "a body or none",
            post("text/plain", "a"),
            Interaction.Request(method: "POST", url: "https://h/")
        ),
    ]
}

/// A form with files in the format of real clients.
struct MultipartSample: Sendable {
    /// A part: its header lines and its bytes.
    struct Part: Sendable {
        var headers: [String]
        var content: Data

        static func field(_ name: String, _ value: String) -> Part {
            Part(headers: [#"Content-Disposition: form-data; name="\#(name)""#], content: Data(value.utf8))
        }

        static func file(_ name: String, _ fileName: String, _ type: String, _ content: Data) -> Part {
            let disposition = #"form-data; name="\#(name)"; filename="\#(fileName)""#
            return Part(
                headers: ["Content-Disposition: \(disposition)", "Content-Type: \(type)"],
                content: content
            )
        }
    }

    var boundary: String
    var parts: [Part]

    init(_ boundary: String, _ parts: [Part]) {
        (self.boundary, self.parts) = (boundary, parts)
    }

    var data: Data {
        var data = Data()
        for part in parts {
            data += "--\(boundary)\r\n\(part.headers.joined(separator: "\r\n"))\r\n\r\n".utf8
            data += part.content + "\r\n".utf8
        }
        return data + "--\(boundary)--\r\n".utf8
    }

    /// The request that sends the form, with or without a content type.
    func request(type: String? = "multipart/form-data; boundary=") -> Interaction.Request {
        Interaction.Request(
            method: "POST",
            url: "https://h/",
            headers: type.map { ["Content-Type": $0.hasSuffix("boundary=") ? $0 + boundary : $0] } ?? [:],
            body: Interaction.Body(data)
        )
    }

    /// A boundary of Alamofire 5.
    static let alamofire = "alamofire.boundary.5c1b3ad7c6d9a1d4"
    /// A boundary of curl.
    static let curl = "------------------------d74496d66958873e"
    /// The first bytes of a picture, with line breaks and a byte that is not valid UTF-8.
    static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF, 0x0D, 0x0A])
}

/// The drift between two JSON documents with status 200, one line per change.
func drift(_ recorded: String, _ live: String) -> [String] {
    Drift.between(.json(recorded), .json(live)).map(\.description)
}

extension Interaction.Outcome {
    /// A response with a JSON document.
    static func json(_ text: String, status: Int = 200) -> Interaction.Outcome {
        .answer(text, "application/json", status: status)
    }

    /// A response with a text body and a media type.
    static func answer(_ text: String, _ type: String?, status: Int = 200) -> Interaction.Outcome {
        var headers: HeaderList = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        headers["Content-Type"] = type
        return .response(Interaction.Response(status: status, headers: headers, body: Interaction.Body(text)))
    }
}
