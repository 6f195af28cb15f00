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

    typealias Secrets = [Position: Placeholder]

    private let recorded: [Int: Secrets]
    /// For each group of equal requests, the positions whose secrets differ.
    private let differing: [Int: Set<Position>]

    /// Reads the requests of each group with several of them.
    init(_ list: any InteractionList, _ groups: [[Int]]) {
        var recorded: [Int: Secrets] = [:]
        var differing: [Int: Set<Position>] = [:]
        for (group, positions) in groups.enumerated() where positions.count > 1 {
            var first: Secrets = [:]
            for position in positions {
                let secrets =
                    recorded[position] ?? Self.secrets(of: list.request(at: position, withHeaders: true))
                recorded[position] = secrets
                for (place, secret) in secrets
                where first.updateValue(first[place] ?? secret, forKey: place) ?? secret != secret {
                    differing[group, default: []].insert(place)
                }
            }
        }
        self.recorded = recorded
        self.differing = differing
    }

    /// Whether there are requests of several users.
    var areNeeded: Bool { !differing.isEmpty }

    static func secrets(of request: Interaction.Request) -> Secrets {
        var secrets: Secrets = [:]
        for field in request.headers.fields {
            for placeholder in Placeholder.placeholders(in: field.value) {
                let position = Position(header: field.name.lowercased(), name: placeholder.name)
                if secrets[position] == nil { secrets[position] = placeholder }
            }
        }
        return secrets
    }

    /// The secrets of a request that must be those of a recorded one, with the recorded ones.
    func pairs(_ live: Secrets, at position: Int, in group: Int) -> SecretLedger.Pairs {
        guard let places = differing[group], let recorded = recorded[position] else { return [] }
        return places.sorted { ($0.header, $0.name) < ($1.header, $1.name) }.compactMap { place in
            guard let live = live[place], let secret = recorded[place] else { return nil }
            return (live, secret)
        }
    }
}
