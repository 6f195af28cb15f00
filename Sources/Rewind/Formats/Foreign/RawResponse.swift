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
    init(_ data: Data, limits: CassetteLimits = .default) throws {
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
            response.body = Body(try Self.decoded(lines.rest, head.headers, limits))
            self.response = response
            return
        }
    }

    /// The body before it was coded, or as it came where that cannot be undone.
    private static func decoded(
        _ body: Data,
        _ headers: HeaderList,
        _ limits: CassetteLimits
    ) throws -> Data {
        var budget = InflationBudget(limits)
        do {
            return try ContentCoding.decoded(body, headers, &budget)
        } catch let excess as InflationExcess {
            throw CassetteProblem.tooLarge("its body \(excess.cause)")
        } catch {
            return body
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
        response.headers = try lines.headerFields()
        return response
    }
}
