import Foundation
import Rewind
import Testing

/// A recorded request and one that differs from it, so that it is a miss by default.
struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var recorded: Interaction
    var requested: Request

    init(_ what: String, _ recorded: Request, _ requested: Request) {
        testDescription = what
        self.recorded = Interaction(request: recorded, outcome: .response(Response()))
        self.requested = requested
    }

    private static func get(_ url: String) -> Request { Request(url: url) }

    private static func post(_ type: String, _ body: String) -> Request {
        Request(method: "POST", url: "https://h/", headers: ["Content-Type": type], body: Body(body))
    }

    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"

    static let all = [
        Change("a query item's value", get("https://h/?a=1&b=2"), get("https://h/?b=3&a=1")),
        Change("a query item too many", get("https://h/?a=1"), get("https://h/?a=1&a=1")),
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
        Change("the method", get("https://h/a"), Request(method: "PUT", url: "https://h/a")),
        Change("several parts", get("https://h/1/x?t=1"), get("http://g/2/x?t=2")),
        Change("a JSON member", post(json, #"{"a":{"b c":1}}"#), post(json, #"{"a":{"b c":2}}"#)),
        Change("a member too many", post(json, #"{"a":1}"#), post(json, #"{"a":1,"b":[1]}"#)),
        Change("an element", post(json, "[1,2,3]"), post(json, "[1,9,3]")),
        Change("elements too many", post(json, "[1,2,3]"), post(json, "[1,2,3,4,5]")),
        Change("an element in between", post(json, "[1,2,3]"), post(json, "[1,3]")),
        Change("more elements than are told", post(json, "[]"), post(json, "\(Array(1...20))")),
        Change("another JSON value", post(json, "{}"), post(json, "[]")),
        Change("broken JSON", post(json, "{}"), post(json, "{")),
        Change("a form field", post(form, "a=1&t=1"), post(form, "t=2&a=1")),
        Change("text", post("text/plain", "a\nb"), post("text/plain", "a\nc")),
        Change("a body or none", post("text/plain", "a"), Request(method: "POST", url: "https://h/")),
    ]
}
