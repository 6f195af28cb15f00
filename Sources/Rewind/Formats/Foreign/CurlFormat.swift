import Foundation

/// What `curl -is` prints: one response, which OHHTTPStubs calls an HTTP message.
///
/// There is no request in it. OHHTTPStubs finds such a file by its name and has the request in code; here a format is
/// never told by a name, so the interaction's request is a `GET` without a URL. It answers only where URLs are not
/// compared, again and again if it is to answer all:
///
/// ```swift
/// configuration.matching = [.method]
/// configuration.repeats = .last
/// ```
///
/// An archive has no place for a response that no request asked for: written to one, it answers nothing.
package enum CurlFormat: InflatingCassetteFormat {
    /// The format's name.
    package static let name = "a response of curl -is"

    /// Whether the bytes begin with a status line.
    package static func recognizes(_ data: Data) -> Bool {
        RawResponse.begins(data)
    }

    /// Reads a cassette of one interaction.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    package static func read(_ data: Data) throws -> Cassette {
        try read(data, limits: .default)
    }

    /// Reads a cassette that may ask for no more than the limits.
    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let response = try RawResponse(data, limits: limits).response
        let request = Request(url: "", httpVersion: response.httpVersion)
        return Cassette(
            interactions: [Interaction(request: request, outcome: .response(response), startedAt: .distantPast)]
        )
    }
}
