import Foundation

/// The output of `curl -is`: one response, which OHHTTPStubs calls an HTTP message. The file contains no request, so the
/// request of the interaction is a `GET` without a URL. To answer requests with it, compare only methods, and repeat it:
///
/// ```swift
/// configuration.matching = [.method]
/// configuration.repeats = .last
/// ```
///
/// A HAR archive cannot contain a response without a request. If the interaction is written to one, it never answers.
package enum CurlFormat: InflatingCassetteReader {
    package static let name = "curl -is output"

    /// The bytes begin with a status line.
    package static func recognizes(_ data: Data) -> Bool { data.starts(with: "HTTP/".utf8) }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        try read(data, limits: limits, acceptsOpenHead: false)
    }

    fileprivate static func read(_ data: Data, limits: CassetteLimits, acceptsOpenHead: Bool) throws -> Cassette
    {
        let (response, absence) = try response(data, limits: limits, acceptsOpenHead)
        let request = Interaction.Request(url: "", httpVersion: response.httpVersion)
        let outcome = absence.map { Interaction.Outcome.unknown(reason: $0.reason) } ?? .response(response)
        return Cassette(
            interactions: [Interaction(request: request, outcome: outcome, startedAt: .distantPast)]
        )
    }

    /// Reads the last response in the format of HTTP/1.1 (RFC 9112 section 2.1).
    ///
    /// Skips the heads before it, of which curl prints no body: interim responses such as `100 Continue`, redirects that
    /// `--location` follows, the challenges that `--anyauth` answers, and the answer of a proxy to `CONNECT`.
    private static func response(_ data: Data, limits: CassetteLimits, _ acceptsOpenHead: Bool) throws
        -> (Interaction.Response, BodyAbsence?)
    {
        var lines = HeadLines(data, acceptsOpenEnd: acceptsOpenHead)
        var response = try head(&lines)
        while isFollowed(response, by: lines.rest) { response = try head(&lines) }
        guard isWhole(lines.rest, response) else {
            throw lines.problem("the body is shorter than its Content-Length, so the file may be truncated")
        }
        var budget = InflationBudget(limits)
        do {
            response.body = Interaction.Body(try ContentCoding.decoded(lines.rest, response.headers, &budget))
        } catch let excess as InflationExcess {
            throw CassetteError.Problem.tooLarge("its body \(excess.cause)")
        } catch let absence as BodyAbsence {
            return (response, absence)
        }
        return (response, nil)
    }

    /// Whether what follows a head is the next head, and not a body.
    private static func isFollowed(_ head: Interaction.Response, by rest: Data) -> Bool {
        var lines = HeadLines(rest, acceptsOpenEnd: true)
        guard recognizes(rest), statusLine(lines.next() ?? "") != nil,
            head.headers["Content-Length"].flatMap({ Int($0) }) != rest.count
        else { return false }
        switch head.status {
        case 101: return false
        case 100..<200: return true
        case 301, 302, 303, 307, 308: return head.headers["Location"] != nil
        case 401: return head.headers["WWW-Authenticate"] != nil
        case 407: return head.headers["Proxy-Authenticate"] != nil
        case 200..<300:
            // A response to CONNECT has neither of these (RFC 9110 section 9.3.6).
            return ["Content-Type", "Content-Length", "Transfer-Encoding"].allSatisfy {
                head.headers[$0] == nil
            }
        default: return false
        }
    }

    /// Whether a body is as long as its `Content-Length`. An encoded body may have been decoded, so any length is accepted.
    private static func isWhole(_ body: Data, _ head: Interaction.Response) -> Bool {
        guard head.headers.contentCodings.isEmpty, head.status != 204, head.status != 304,
            let length = head.headers["Content-Length"].flatMap({ Int($0) })
        else { return true }
        return body.count >= length
    }

    private static func head(_ lines: inout HeadLines) throws -> Interaction.Response {
        guard let line = statusLine(lines.next() ?? "") else {
            throw lines.problem("expected a status line, such as `HTTP/1.1 200 OK`")
        }
        return Interaction.Response(
            status: line.status,
            statusText: line.text,
            headers: try lines.headerFields(),
            httpVersion: line.version
        )
    }

    private static func statusLine(_ line: String) -> (version: String, status: Int, text: String)? {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].hasPrefix("HTTP/"), parts[1].count == 3, let status = Int(parts[1]),
            100...999 ~= status
        else { return nil }
        return (String(parts[0]), status, parts.count > 2 ? parts[2].trimmingSpaces() : "")
    }
}

/// The output of `curl -is` that a stub names. It is often written by hand, so its head may end with the file.
package enum CurlDump: InflatingCassetteReader {
    package static let name = CurlFormat.name

    package static func recognizes(_ data: Data) -> Bool { CurlFormat.recognizes(data) }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        try CurlFormat.read(data, limits: limits, acceptsOpenHead: true)
    }
}

/// The lines before a body, ended by a line feed with or without a carriage return.
struct HeadLines {
    private(set) var rest: Data
    private var number = 0
    private let acceptsOpenEnd: Bool

    /// - Parameters:
    ///   - data: The bytes.
    ///   - acceptsOpenEnd: Whether the head may end with the data: without an empty line, or within a line.
    init(_ data: Data, acceptsOpenEnd: Bool = false) {
        rest = data
        self.acceptsOpenEnd = acceptsOpenEnd
    }

    /// The next line without its end; `nil` at the end of the data.
    mutating func next() -> String? {
        number += 1
        let lineFeed = rest.firstIndex(of: JSONByte.lineFeed)
        guard let end = lineFeed ?? (acceptsOpenEnd && !rest.isEmpty ? rest.endIndex : nil) else { return nil }
        let line = rest[rest.startIndex..<end]
        rest = rest[min(end + 1, rest.endIndex)...]
        return String(decoding: line.last == JSONByte.carriageReturn ? line.dropLast() : line, as: UTF8.self)
    }

    /// The header fields up to the empty line that ends them.
    mutating func headerFields() throws -> HeaderList {
        var headers = HeaderList()
        while let line = next() {
            if line.isEmpty { return headers }
            headers.fields.append(try field(line))
        }
        guard acceptsOpenEnd else { throw problem("expected an empty line after the header fields") }
        return headers
    }

    func field(_ line: String) throws -> HeaderList.Field {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, !name.isEmpty, !name.contains(where: \.isWhitespace)
        else { throw problem("expected a header field, such as `Content-Type: text/plain`") }
        return HeaderList.Field(name: String(name), value: parts[1].trimmingSpaces())
    }

    func problem(_ cause: String) -> CassetteError.Problem { .syntax(line: number, column: 1, cause: cause) }
}
