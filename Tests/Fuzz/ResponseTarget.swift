import Foundation
import Rewind

@testable import RewindServer

/// No text of a response can change the structure of the sent message.
func fuzzResponse(_ data: Data) {
    var input = FuzzInput(data)
    let status = Int(input.byte()) << 8 | Int(input.byte())
    let (reason, body) = (input.text(), input.part())
    let fields = input.headers().map { HeaderList.Field(name: $0.name, value: $0.value) }
    let headers = HeaderList(fields)
    guard let head = try? ResponseHead(status: status, reason: reason, headers: headers) else { return }
    let lines = String(decoding: head.bytes(), as: UTF8.self).unicodeScalars.split(
        separator: "\n",
        omittingEmptySubsequences: false
    )
    // The status line, a line for each field, and the empty line with the body.
    check(lines.count == fields.count + 3, "\(fields.count) fields have \(lines.count) lines")
    check(lines.dropLast().allSatisfy { $0.last == "\r" }, "a line has no carriage return")
    check(lines.allSatisfy { !$0.dropLast().contains("\r") && !$0.contains("\0") }, "a line ends early")
    let request = try? HTTPServerRequest(method: body.count % 2 == 0 ? "GET" : "HEAD", target: "/")
    var encoder = ResponseEncoder(answering: request)
    _ = try? encoder.respond(status: status, reason: reason, headers: headers, body: body)
    var streaming = ResponseEncoder(answering: request)
    if (try? streaming.begin(status: status, reason: reason, headers: headers)) != nil {
        _ = try? streaming.write(body)
        _ = try? streaming.end(trailers: headers)
    }
}
