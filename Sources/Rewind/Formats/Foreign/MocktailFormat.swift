import Foundation

/// The `.tail` files of Mocktail, which OHHTTPStubs plays too. Mocktail compares method and URL:
/// `matching = [.method, .url]`.
///
/// The method and the URL are regular expressions. A method such as `GET|POST` becomes one interaction per method. A URL
/// pattern that matches only one URL becomes that URL. Any other pattern stays unchanged: it matches no request, but can be
/// shown and converted.
package enum MocktailFormat: InflatingCassetteReader {
    package static let name = "Mocktail"

    /// Whether the first three lines are a pattern of methods, a text without spaces, and a status code.
    package static func recognizes(_ data: Data) -> Bool {
        guard !CurlFormat.recognizes(data) else { return false }
        var lines = HeadLines(data.prefix(1 << 16))
        guard let method = lines.next(), let url = lines.next(), let status = lines.next() else { return false }
        let letters = method.utf8.allSatisfy {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || "|()*.+?^$[]".utf8.contains($0)
        }
        return !method.isEmpty && letters && !url.isEmpty && !url.contains(" ") && self.status(status) != nil
    }

    /// Reads a cassette with one interaction for each method.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let stub = try stub(data, limits: limits)
        let url = MocktailPattern.literal(stub.urlPattern)
        return Cassette(
            interactions: MocktailPattern.alternatives(stub.methodPattern).map { method in
                Interaction(
                    request: Interaction.Request(method: method, url: url),
                    read: stub.outcome,
                    startedAt: .distantPast
                )
            }
        )
    }

    /// The requests that a file answers, as regular expressions, and the outcome.
    struct Stub {
        let methodPattern: String
        let urlPattern: String
        let outcome: ReadOutcome
    }

    static func stub(_ data: Data, limits: CassetteLimits = .default) throws -> Stub {
        var lines = HeadLines(data)
        let method = lines.next() ?? ""
        let url = lines.next() ?? ""
        guard let status = lines.next().flatMap(status) else { throw lines.problem("expected a status code") }
        var headers = HeaderList()
        // The fourth line is a media type, or a header field like the lines after it.
        guard let type = lines.next() else { throw lines.problem("expected a media type or a header field") }
        if type.contains(":") {
            headers.fields.append(try lines.field(type))
        } else {
            headers.append("Content-Type", type.trimmingSpaces())
        }
        headers.fields += try lines.headerFields()
        let outcome = try outcome(status, &headers, lines.rest, limits)
        return Stub(methodPattern: method, urlPattern: url, outcome: outcome)
    }

    private static func outcome(
        _ status: Int,
        _ headers: inout HeaderList,
        _ rest: Data,
        _ limits: CassetteLimits
    ) throws -> ReadOutcome {
        var body = rest
        let mark = ";base64"
        if let type = headers["Content-Type"], type.hasSuffix(mark) {
            headers["Content-Type"] = String(type.dropLast(mark.count)).trimmingSpaces()
            guard let data = WrappedBase64.data(String(decoding: rest, as: UTF8.self)) else {
                let head = Interaction.Response(status: status, headers: headers)
                return .unknown(reason: BodyAbsence.invalidBase64.reason, response: head)
            }
            body = data
        }
        var budget = InflationBudget(limits)
        return try .reading(Interaction.Response(status: status, headers: headers)) {
            do {
                return Interaction.Body(try ContentCoding.decoded(body, headers, &budget))
            } catch let excess as InflationExcess {
                throw BodyAbsence(reason: "the body \(excess.cause)")
            }
        }
    }

    private static func status(_ line: String) -> Int? {
        let text = line.trimmingSpaces()
        return text.utf8.count == 3 ? Int(text).flatMap { 100...999 ~= $0 ? $0 : nil } : nil
    }
}

/// Converts the regular expressions of a Mocktail file to plain text if possible.
enum MocktailPattern {
    /// The methods of a pattern such as `GET|POST`, or the pattern itself if it is more complex.
    static func alternatives(_ pattern: String) -> [String] {
        let methods = pattern.split(separator: "|").map { literal(String($0)) }
        let arePlain = methods.allSatisfy { $0.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } }
        return methods.isEmpty || !arePlain ? [pattern] : methods
    }

    /// The only text that a pattern matches, or the pattern itself if it matches several.
    static func literal(_ pattern: String) -> String {
        var rest = pattern[...]
        if rest.first == "^" { rest = rest.dropFirst() }
        if rest.last == "$", rest.dropLast().last != "\\" { rest = rest.dropLast() }
        var result = ""
        var isEscaped = false
        for character in rest {
            if isEscaped {
                // A letter or digit after a backslash is a character class or a back reference.
                guard !character.isLetter, !character.isNumber else { return pattern }
                result.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if "*+[](){}|^$".contains(character) {
                return pattern
            } else {
                result.append(character)
            }
        }
        return isEscaped ? pattern : result
    }
}
