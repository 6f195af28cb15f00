/// The placeholders in the header fields of recorded requests, which distinguish the requests of several users.
///
/// Header fields are not compared by default. But if recorded requests differ only in their credentials, a live request is
/// answered only by those that have its credentials.
struct RequestCredentials: Sendable {
    /// A secret by the header field that contains it and by its name.
    struct Position: Hashable, Sendable {
        let header: String
        let name: String
    }

    struct Secrets: Sendable {
        fileprivate(set) var placeholders: [Position: Placeholder] = [:]
        /// The header fields that are not cookies, without the numbers of placeholders. They may contain a user name.
        fileprivate(set) var texts: [String: String] = [:]

        var isEmpty: Bool { placeholders.isEmpty }
    }

    private let recorded: [Int: Secrets]
    /// For each group of equal requests, the positions whose secrets differ.
    private let differing: [Int: Set<Position>]
    /// For each group of equal requests, the texts of the header fields that differ in more than a number.
    private let differingTexts: [Int: [String: Set<String>]]

    /// Reads the requests of each group with several of them.
    init(_ list: any InteractionList, _ groups: [[Int]]) {
        var recorded: [Int: Secrets] = [:]
        var differing: [Int: Set<Position>] = [:]
        var differingTexts: [Int: [String: Set<String>]] = [:]
        for (group, positions) in groups.enumerated() where positions.count > 1 {
            var first: [Position: Placeholder] = [:]
            var texts: [String: Set<String>] = [:]
            for position in positions {
                let secrets =
                    recorded[position] ?? Self.secrets(of: list.request(at: position, withHeaders: true))
                recorded[position] = secrets
                for (header, text) in secrets.texts { texts[header, default: []].insert(text) }
                for (place, secret) in secrets.placeholders
                where first.updateValue(first[place] ?? secret, forKey: place) ?? secret != secret {
                    differing[group, default: []].insert(place)
                }
            }
            texts = texts.filter { $0.value.count > 1 }
            if !texts.isEmpty { differingTexts[group] = texts }
        }
        self.differingTexts = differingTexts
        self.recorded = recorded
        self.differing = differing
    }

    /// Whether there are requests of several users.
    var areNeeded: Bool { !differing.isEmpty || !differingTexts.isEmpty }

    static func secrets(of request: Interaction.Request) -> Secrets {
        var secrets = Secrets()
        for field in request.headers.fields {
            let placeholders = Placeholder.placeholders(in: field.value)
            guard !placeholders.isEmpty else { continue }
            let header = field.name.lowercased()
            if header != "cookie" { secrets.texts[header] = Placeholder.withoutNumbers(field.value) }
            for placeholder in placeholders {
                let position = Position(header: header, name: placeholder.name)
                if secrets.placeholders[position] == nil { secrets.placeholders[position] = placeholder }
            }
        }
        return secrets
    }

    /// The secrets of a request that must be those of a recorded one, with the recorded ones; `nil` if another recorded
    /// request has the user of the request.
    func pairs(_ live: Secrets, at position: Int, in group: Int) -> SecretLedger.Pairs? {
        guard let recorded = recorded[position] else { return [] }
        for (header, texts) in differingTexts[group] ?? [:] {
            guard let text = live.texts[header], texts.contains(text) else { continue }
            if let other = recorded.texts[header], other != text { return nil }
        }
        guard let places = differing[group] else { return [] }
        return places.sorted { ($0.header, $0.name) < ($1.header, $1.name) }.compactMap { place in
            guard let live = live.placeholders[place], let secret = recorded.placeholders[place] else {
                return nil
            }
            return (live, secret)
        }
    }
}
