import Foundation

/// Finds the interactions that match a request, at a cost that does not grow with the cassette.
///
/// An interaction is in a group under the key of its request. An interaction with a body is also in a group under the key of
/// its bytes, because equal bytes match with any media type. A lookup considers both groups.
package struct InteractionIndex: Sendable {
    private let matchers: [RequestMatcher]
    private let comparisons: [RequestMatcher]
    private let requests: [Interaction.Request]
    /// Whether a matcher calls a closure of the test.
    let hasCallbacks: Bool
    /// Distinguishes this index and its copies from others.
    private let identity = Identity()
    private let groups: [Key: Int]
    private let positions: [[Int]]
    /// The places of requests by their exact bytes, as most live requests have the recorded ones, and parsing takes longer.
    private let spelled: [Spelling: Place]
    /// The placeholders in the compared parts of recorded requests.
    private let secrets: [Member: [Placeholder]]

    /// All parts of a request that matchers read, if none of them compares header fields.
    private struct Spelling: Hashable, Sendable {
        let method: String
        let url: String
        let mediaType: String?
        let body: Data?

        init(_ request: Interaction.Request) {
            method = request.method
            url = request.url
            body = request.body?.data
            mediaType = body == nil ? nil : request.headers["Content-Type"]
        }

        static func == (left: Spelling, right: Spelling) -> Bool {
            left.url.hasSameBytes(as: right.url) && left.method.hasSameBytes(as: right.method)
                && left.mediaType == right.mediaType && left.body == right.body
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(url)
            hasher.combine(method)
            // All bytes, as requests to one URL may begin with the same ones. The media type seldom differs.
            body?.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// The projections of all matchers, without the numbers of placeholders, which may differ between test and cassette.
    package typealias Key = [Projection]

    private struct Member: Hashable, Sendable {
        let position: Int
        let group: Int
    }

    private final class Identity: Sendable {}

    struct Group: Sendable {
        let number: Int
        let secrets: [Placeholder]
    }

    struct Place: Sendable {
        let group: Group
        /// The group of the body's bytes, if it differs.
        let other: Group?

        var groups: [Group] { other.map { [group, $0] } ?? [group] }
    }

    struct Candidate {
        let position: Int
        let group: Group
    }

    package init(_ list: any InteractionList, matchers: [RequestMatcher]) {
        self.matchers = matchers.filter { !$0.isComparison }
        comparisons = matchers.filter(\.isComparison)
        hasCallbacks = matchers.contains(where: \.hasCallbacks)
        var groups: [Key: Int] = Dictionary(minimumCapacity: list.count)
        var positions: [[Int]] = []
        var spelled: [Spelling: Place] = [:]
        var secrets: [Member: [Placeholder]] = [:]
        let readsHeaders = matchers.parts.contains(.headers)
        requests = comparisons.isEmpty ? [] : list.indices.map { list.request(at: $0, withHeaders: true) }
        for position in list.indices where list.isReplayable(at: position) {
            let request = list.request(at: position, withHeaders: readsHeaders)
            func add(_ entry: Keys.Entry) -> Int {
                let group = groups[entry.key] ?? positions.count
                if group < positions.count {
                    positions[group].append(position)
                } else {
                    groups[entry.key] = group
                    positions.append([position])
                }
                if !entry.secrets.isEmpty { secrets[Member(position: position, group: group)] = entry.secrets }
                return group
            }
            let keys = Keys(of: request, self.matchers)
            let group = Group(number: add(keys.parsed), secrets: [])
            let other = keys.bytes.map { Group(number: add($0), secrets: []) }
            let hasSecrets = !keys.parsed.secrets.isEmpty || keys.bytes?.secrets.isEmpty == false
            if !readsHeaders, !hasSecrets, request.bodyAbsence == nil {
                spelled[Spelling(request)] = Place(group: group, other: other)
            }
        }
        self.spelled = spelled
        self.secrets = secrets
        self.groups = groups
        self.positions = positions
    }

    /// The keys of the parsed request and of its body's bytes.
    package func keys(of request: Interaction.Request) -> [Key] {
        let keys = Keys(of: request, matchers)
        return [keys.parsed, keys.bytes].compactMap { $0?.key }
    }

    func place(of request: Interaction.Request) -> Place? {
        if let place = spelled[Spelling(request)] { return place }
        let keys = Keys(of: request, matchers)
        let group = group(of: keys.parsed)
        let other = keys.bytes.flatMap { self.group(of: $0) }
        return (group ?? other).map { Place(group: $0, other: group == nil ? nil : other) }
    }

    private func group(of entry: Keys.Entry) -> Group? {
        groups[entry.key].map { Group(number: $0, secrets: entry.secrets) }
    }

    func secrets(of candidate: Candidate) -> [Placeholder] {
        secrets.isEmpty
            ? [] : secrets[Member(position: candidate.position, group: candidate.group.number)] ?? []
    }

    /// The positions in each group.
    var groupedPositions: [[Int]] { positions }

    func positions(of group: Group) -> [Int] { positions[group.number] }

    /// The interactions at a place in recorded order, starting at an index in each group.
    func candidates(at place: Place, from start: (Group) -> Int = { _ in 0 }) -> Candidates {
        Candidates(
            group: place.group,
            positions: positions(of: place.group)[start(place.group)...],
            other: place.other,
            otherPositions: place.other.map { positions(of: $0)[start($0)...] } ?? []
        )
    }

    /// The last interactions at a place before a position, in recorded order.
    func candidates(at place: Place, before position: Int, limit: Int) -> [Candidate] {
        let last = place.groups.flatMap { group in
            let positions = positions(of: group)
            return positions[..<positions.firstIndex(sortedFrom: position)].suffix(limit)
                .map { Candidate(position: $0, group: group) }
        }
        // An interaction may be in both groups.
        var seen: Set<Int> = []
        return last.sorted { $0.position < $1.position }.filter { seen.insert($0.position).inserted }
            .suffix(limit)
    }

    func candidate(_ position: Int, at place: Place) -> Candidate? {
        place.groups.reversed().first { positions(of: $0).containsSorted(position) }
            .map { Candidate(position: position, group: $0) }
    }

    /// Whether the comparisons accept a recorded request.
    func agrees(_ request: Interaction.Request, at position: Int) -> Bool {
        comparisons.isEmpty || comparisons.allSatisfy { $0.agrees(request, with: requests[position]) }
    }

    var hasComparisons: Bool { !comparisons.isEmpty }
    var comparisonNames: [String] { comparisons.map(\.name) }
    var groupCount: Int { positions.count }
    var id: ObjectIdentifier { ObjectIdentifier(identity) }
}

extension InteractionIndex {
    struct Candidates: Sequence, IteratorProtocol {
        let group: Group
        fileprivate(set) var positions: ArraySlice<Int>
        let other: Group?
        fileprivate(set) var otherPositions: ArraySlice<Int>

        mutating func next() -> Candidate? {
            // The group of the bytes comes first: in equal bytes, secrets are in the same order.
            if let other, let position = otherPositions.first, position <= positions.first ?? .max {
                otherPositions.removeFirst()
                if positions.first == position { positions.removeFirst() }
                return Candidate(position: position, group: other)
            }
            return positions.popFirst().map { Candidate(position: $0, group: group) }
        }
    }

    private struct Keys {
        typealias Entry = (key: Key, secrets: [Placeholder])

        let parsed: Entry
        /// The key with the body's bytes instead of the parsed body, if it differs.
        let bytes: Entry?

        init(of request: Interaction.Request, _ matchers: [RequestMatcher]) {
            let plain = request.withoutPlaceholderNumbers
            let key = matchers.map { $0.projection(plain ?? request) }
            let numbered = plain == nil ? [] : matchers.map { $0.projection(request) }
            parsed = (key, numbered.flatMap(\.placeholders))
            bytes = Self.replacingBodies(in: key, by: (plain ?? request).body, matchers).map { key in
                let numbered = Self.replacingBodies(in: numbered, by: request.body, matchers) ?? numbered
                return (key, numbered.flatMap(\.placeholders))
            }
        }

        /// `nil` if the key does not change.
        private static func replacingBodies(
            in key: Key,
            by body: Interaction.Body?,
            _ matchers: [RequestMatcher]
        ) -> Key? {
            guard let body, !body.isEmpty else { return nil }
            let replaced = zip(key, matchers).map { $1.comparesBodies ? .bytes(body.data) : $0 }
            return replaced == key ? nil : replaced
        }
    }
}

extension [Int] {
    fileprivate func containsSorted(_ number: Int) -> Bool {
        let index = firstIndex(sortedFrom: number)
        return index < endIndex && self[index] == number
    }

    /// The index of the first element of this sorted array that is not less than a number.
    fileprivate func firstIndex(sortedFrom number: Int) -> Int {
        var (lower, upper) = (startIndex, endIndex)
        while lower < upper {
            let middle = (lower + upper) / 2
            if self[middle] < number { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }
}

extension Interaction.Request {
    func hasSameBody(as other: Interaction.Request) -> Bool {
        guard let body, let other = other.body else { return false }
        return !body.isEmpty && body.data == other.data
    }

    /// `nil` if no placeholder has a number.
    var withoutPlaceholderNumbers: Interaction.Request? {
        // Most requests have none, so that no copy is made.
        guard hasPlaceholders else { return nil }
        var plain = self
        plain.url = Placeholder.withoutNumbers(url)
        for index in headers.fields.indices {
            plain.headers.fields[index].value = Placeholder.withoutNumbers(headers.fields[index].value)
        }
        if let body {
            // The checksum of a compressed body changes with its content.
            let compressed = CompressedContent(body.data, atMost: CassetteLimits.default.maximumInflatedBody)
            let content = Placeholder.withoutNumbers(compressed?.content ?? body.data)
            plain.body = Interaction.Body(compressed?.encoded(content) ?? content)
        }
        return plain == self ? nil : plain
    }

    private var hasPlaceholders: Bool {
        Placeholder.isPresent(in: url) || body.map { Placeholder.isPresent(in: $0.data) } ?? false
            || headers.fields.contains { Placeholder.isPresent(in: $0.value) }
    }
}

extension Projection {
    var placeholders: [Placeholder] {
        let all =
            switch self {
            case .absent, .unknown: [Placeholder]()
            case .text(let text): Placeholder.placeholders(in: text)
            case .bytes(let data), .parts(let data): Placeholder.placeholders(in: data)
            }
        return all.filter { $0.number != nil }
    }
}
