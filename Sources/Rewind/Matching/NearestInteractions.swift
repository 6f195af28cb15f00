import Foundation

/// The recorded interactions that are most similar to a request that none of them answers.
package struct NearestInteractions: Sendable {
    package struct Candidate: Sendable {
        /// The number of the interaction, counted from 1.
        package var number: Int
        package var request: Interaction.Request
        /// Empty if the interaction matches and was already played.
        package var differences: [Difference]
        /// Why the interaction cannot be replayed, if it cannot.
        package var obstacle: String?
        /// The placeholders of the recorded request, if it differs only in their secrets.
        package var otherSecrets: [Placeholder] = []
    }

    /// The most similar comes first.
    package var candidates: [Candidate]

    package init(
        to request: Interaction.Request,
        among list: any InteractionList,
        at positions: [Int]? = nil,
        matchers: [RequestMatcher],
        limit: Int = 3
    ) {
        let sketch = RequestSketch(request)
        let plain = request.withoutPlaceholderNumbers ?? request
        // A fast comparison selects the few that are compared in full.
        var likely: [(position: Int, likeness: Int)] = []
        for position in positions ?? Array(list.indices) {
            let least = likely.count == Self.comparedInFull ? likely.last?.likeness ?? -1 : -1
            let (method, url) = list.line(at: position)
            let ofLine = sketch.likeness(toMethod: method, url)
            // Most are excluded before their body is read.
            guard ofLine + RequestSketch.greatestLikenessOfBodies > least else { continue }
            let body = list.request(at: position, withHeaders: false).body
            let likeness = ofLine + sketch.likeness(toBody: body?.data ?? Data())
            guard likeness > least else { continue }
            let place = likely.firstIndex { $0.likeness < likeness } ?? likely.endIndex
            likely.insert((position, likeness), at: place)
            if likely.count > Self.comparedInFull { likely.removeLast() }
        }
        candidates = likely.map { position, likeness in
            let interaction = list[position]
            // The same secret may have another number in the cassette, so numbers are not compared.
            let recorded = interaction.request.withoutPlaceholderNumbers ?? interaction.request
            let differences = Difference.between(plain, and: recorded, matchers: matchers)
            let distance = differences.reduce(0) { $0 + Self.weight(of: $1) }
            let candidate = Candidate(
                number: position + 1,
                request: interaction.request,
                differences: differences,
                obstacle: interaction.obstacle,
                otherSecrets: differences.isEmpty && interaction.request != recorded
                    ? Self.secrets(of: interaction.request, matchers) : []
            )
            return (candidate, distance, likeness)
        }
        .sorted { ($0.1, $1.2, $0.0.number) < ($1.1, $0.2, $1.0.number) }
        .prefix(limit)
        .map { $0.0 }
    }

    private static let comparedInFull = 24

    /// The placeholders in the compared parts of a request; if there are none, those in its header fields.
    private static func secrets(of request: Interaction.Request, _ matchers: [RequestMatcher]) -> [Placeholder]
    {
        let compared = matchers.flatMap { $0.projection(request).placeholders }
        return compared.isEmpty
            ? request.headers.fields.flatMap { Placeholder.placeholders(in: $0.value) } : compared
    }

    /// A different server or path weighs more than a different query item.
    private static func weight(of difference: Difference) -> Int {
        switch difference.part {
        case "scheme", "host", "port", "path": 4
        case "method": 2
        default: 1
        }
    }
}

/// What a fast comparison of one request with many others looks at.
private struct RequestSketch {
    private let method: String
    private let url: SketchedURL
    private let items: Set<UInt64>
    private let body: Data

    init(_ request: Interaction.Request) {
        method = request.method
        body = request.body?.data ?? Data()
        let url = SketchedURL(request.url)
        self.url = url
        items = url.text.withBytes { Self.items(of: url.parts(of: $0).query) }
    }

    static let greatestLikenessOfBodies = 300 + 2 * endOfBody
    private static let endOfBody = 100

    /// Higher if the methods and URLs have more in common.
    func likeness(toMethod other: String, _ otherURL: String) -> Int {
        let otherURL = SketchedURL(otherURL)
        let ofURL = url.text.withBytes { left in
            otherURL.text.withBytes { right in likeness(url.parts(of: left), otherURL.parts(of: right)) }
        }
        return ofURL + (method == other ? 1000 : 0)
    }

    /// Higher if the bodies have more in common; at most ``greatestLikenessOfBodies``.
    func likeness(toBody other: Data) -> Int {
        let likeness = body.isEmpty == other.isEmpty ? 300 : 0
        guard !body.isEmpty, !other.isEmpty else { return likeness }
        let count = Self.endOfBody
        // Often one end of a body changes every time, and the other end distinguishes requests.
        return likeness + body.prefix(count).commonLength(with: other.prefix(count))
            + Self.common(body.suffix(count).reversed(), other.suffix(count).reversed())
    }

    private func likeness(_ left: SketchedURL.Parts, _ right: SketchedURL.Parts) -> Int {
        var likeness = left.host.elementsEqual(right.host) { $0 | 0x20 == $1 | 0x20 } ? 4000 : 0
        let common = Self.common(left.path, right.path)
        likeness += 3 * min(500, common)
        let commonOfQueries = Self.common(left.query, right.query)
        if common == left.path.count, common == right.path.count {
            likeness += 4000
            // Items in another order are found too. For another path, they would cost more than they tell.
            let isSame = commonOfQueries == left.query.count && commonOfQueries == right.query.count
            let others = isSame ? items : Self.items(of: right.query)
            let shared = isSame ? items.count : items.intersection(others).count
            likeness += 300 * shared / max(items.count, others.count, 1)
        }
        return likeness + min(100, commonOfQueries)
    }

    /// The items of a query, as checksums.
    private static func items(of query: SketchedURL.Bytes) -> Set<UInt64> {
        var items: Set<UInt64> = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            var checksum = Checksum()
            checksum.add(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: item)))
            items.insert(checksum.value)
        }
        return items
    }

    private static func common(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}

/// A URL and the ranges of its parts.
private struct SketchedURL {
    let text: String
    private let host: Range<Int>
    private let path: Range<Int>

    typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>
    typealias Parts = (host: Bytes, path: Bytes, query: Bytes)

    init(_ url: String) {
        let text = Self.isSpelledPlainly(url) ? url : URLParts(url).text
        self.text = text
        (host, path) = text.withBytes { bytes in
            let (slash, mark) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
            let first = bytes.firstIndex(of: slash) ?? bytes.endIndex
            let host = bytes[first...].dropFirst().first == slash ? first + 2 : 0
            let path = bytes[host...].firstIndex { $0 == slash || $0 == mark } ?? bytes.endIndex
            // The colons of an IPv6 address come before its last one.
            let port = bytes[host..<path].lastIndex(of: UInt8(ascii: ":")) ?? path
            return (host..<port, path..<(bytes[path...].firstIndex(of: mark) ?? bytes.endIndex))
        }
    }

    func parts(of bytes: UnsafeBufferPointer<UInt8>) -> Parts {
        (bytes[host], bytes[path], bytes[path.upperBound...].dropFirst())
    }

    /// Whether equal parts of the URL have the same bytes, as far as a fast comparison needs to know.
    private static func isSpelledPlainly(_ url: String) -> Bool {
        url.withBytes { $0.allSatisfy { $0 < 0x80 && !spellings.contains($0) } }
    }

    /// The characters of escapes, users and fragments.
    private static let spellings = ByteSet("%@#")
}
