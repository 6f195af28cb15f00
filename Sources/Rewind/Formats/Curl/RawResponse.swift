import Foundation

/// A response as it came over the wire: a status line, header fields, an empty line and the body (RFC 9112 section 2.1).
struct RawResponse {
    let response: Response

    /// Whether bytes begin as a status line does.
    static func begins(_ data: Data) -> Bool {
        data.starts(with: "HTTP/".utf8)
    }

    /// Reads a response; interim ones before it, such as `100 Continue`, are skipped.
    /// - Throws: ``CassetteProblem`` with the line.
    init(_ data: Data) throws {
        var lines = HeadLines(data)
        while true {
            let head = try Self.head(&lines)
            if 100..<200 ~= head.status, head.status != 101, Self.begins(lines.rest) { continue }
            var response = head
            guard Self.isWhole(lines.rest, head) else {
                throw lines.problem(
                    "the body ends before its `Content-Length`, so the file may have been cut off"
                )
            }
            response.body = Body((try? ContentCoding.decoded(lines.rest, head.headers)) ?? lines.rest)
            self.response = response
            return
        }
    }

    /// Whether a body is as long as its head says; an encoded one may have been decoded, and be of any length.
    private static func isWhole(_ body: Data, _ head: Response) -> Bool {
        guard head.headers["Content-Encoding"] == nil, head.status != 204, head.status != 304,
            let length = head.headers["Content-Length"].flatMap({ Int($0) })
        else { return true }
        return body.count >= length
    }

    private static func head(_ lines: inout HeadLines) throws -> Response {
        let line = lines.next() ?? ""
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].hasPrefix("HTTP/"), parts[1].count == 3, let status = Int(parts[1]),
            100...999 ~= status
        else { throw lines.problem("expected a status line, such as `HTTP/1.1 200 OK`") }
        var response = Response(
            status: status,
            statusText: parts.count > 2 ? parts[2].trimmingSpaces() : "",
            httpVersion: String(parts[0])
        )
        while true {
            guard let line = lines.next() else {
                throw lines.problem("the header has no end, which is an empty line")
            }
            if line.isEmpty { return response }
            response.headers.fields.append(try lines.field(line))
        }
    }
}

/// The lines before a body, ended by a line feed with or without a carriage return.
struct HeadLines {
    private var text: Data
    private var number = 0

    init(_ data: Data) {
        text = data
    }

    /// What follows the lines that were read.
    var rest: Data { text }

    /// The next line without its end; `nil` where no line ends any more.
    mutating func next() -> String? {
        guard let end = text.firstIndex(of: JSONByte.lineFeed) else {
            number += 1
            return nil
        }
        let line = text[text.startIndex..<end]
        text = text[(end + 1)...]
        number += 1
        return String(decoding: line.last == JSONByte.carriageReturn ? line.dropLast() : line, as: UTF8.self)
    }

    /// A header field from the line that was read last.
    func field(_ line: String) throws -> HeaderList.Field {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, !name.isEmpty, !name.contains(where: \.isWhitespace)
        else {
            throw problem("expected a header field, such as `Content-Type: text/plain`")
        }
        return HeaderList.Field(name: String(name), value: parts[1].trimmingSpaces())
    }

    func problem(_ cause: String) -> CassetteProblem {
        .syntax(line: number, column: 1, cause: cause)
    }
}
