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
            let likeness = sketch.likeness(to: RequestSketch(list.request(at: position, withHeaders: false)))
            if likely.count == Self.comparedInFull, let last = likely.last, last.likeness >= likeness {
                continue
            }
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

/// What a fast comparison of many requests looks at.
private struct RequestSketch {
    private let method: String
    private let url: String
    private let host: Range<Int>
    private let path: Range<Int>
    private let body: Data

    init(_ request: Interaction.Request) {
        method = request.method
        body = request.body?.data ?? Data()
        url = Self.isSpelledPlainly(request.url) ? request.url : URLParts(request.url).text
        (host, path) = url.withBytes { bytes in
            let (slash, mark) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
            let first = bytes.firstIndex(of: slash) ?? bytes.endIndex
            let host = bytes[first...].dropFirst().first == slash ? first + 2 : 0
            let path = bytes[host...].firstIndex { $0 == slash || $0 == mark } ?? bytes.endIndex
            // The colons of an IPv6 address come before its last one.
            let port = bytes[host..<path].lastIndex(of: UInt8(ascii: ":")) ?? path
            return (host..<port, path..<(bytes[path...].firstIndex(of: mark) ?? bytes.endIndex))
        }
    }

    /// Whether equal parts of the URL have the same bytes, as far as a fast comparison needs to know.
    private static func isSpelledPlainly(_ url: String) -> Bool {
        url.withBytes { $0.allSatisfy { $0 < 0x80 && !spellings.contains($0) } }
    }

    /// The characters of escapes, users and fragments.
    private static let spellings = ByteSet("%@#")

    /// Higher if two requests have more in common.
    func likeness(to other: RequestSketch) -> Int {
        var likeness = url.withBytes { left in
            other.url.withBytes { right in
                Self.likeness(
                    (left[host], left[path], left[path.upperBound...].dropFirst()),
                    (right[other.host], right[other.path], right[other.path.upperBound...].dropFirst())
                )
            }
        }
        if method == other.method { likeness += 1000 }
        likeness += body.isEmpty == other.body.isEmpty ? 300 : 0
        guard !body.isEmpty, !other.body.isEmpty else { return likeness }
        // Often one end of a body changes every time, and the other end distinguishes requests.
        return likeness + body.prefix(100).commonLength(with: other.body.prefix(100))
            + Self.common(body.suffix(100).reversed(), other.body.suffix(100).reversed())
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>
    private typealias Parts = (host: Bytes, path: Bytes, query: Bytes)

    private static func likeness(_ left: Parts, _ right: Parts) -> Int {
        var likeness = left.host.elementsEqual(right.host) { $0 | 0x20 == $1 | 0x20 } ? 4000 : 0
        let common = common(left.path, right.path)
        likeness += 3 * min(500, common)
        if common == left.path.count, common == right.path.count {
            likeness += 4000
            // Items in another order are found too. For another path, they would cost more than they tell.
            let separator = UInt8(ascii: "&")
            let items = Set(left.query.split(separator: separator).map(Array.init))
            let others = Set(right.query.split(separator: separator).map(Array.init))
            likeness += 300 * items.intersection(others).count / max(items.count, others.count, 1)
        }
        return likeness + min(100, self.common(left.query, right.query))
    }

    private static func common(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}
