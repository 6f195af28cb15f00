import Rewind

/// Finds the interactions of a cassette that say the same, without keeping them.
struct DuplicateSearch {
    /// Interactions that say the same.
    struct Group {
        /// The title of the first.
        let title: String
        /// Their numbers, counted from one.
        var numbers: [Int]
        /// The line of the second.
        var line: Int?
    }

    private var groups: [Int: [Group]] = [:]

    /// Takes the next interaction of a cassette.
    mutating func add(_ linted: LintedInteraction, of reel: any InteractionList) {
        guard linted.interaction.isReplayable else { return }
        let content = Content(linted.interaction)
        let key = content.hashValue
        // What was only found by a hash is looked at again.
        let position = groups[key]?.firstIndex { Content(reel[$0.numbers[0] - 1]) == content }
        guard let position, var found = groups[key] else {
            groups[key, default: []].append(Group(title: linted.title, numbers: [linted.number]))
            return
        }
        found[position].numbers.append(linted.number)
        found[position].line = found[position].line ?? linted.line
        groups[key] = found
    }

    /// The groups of more than one, in recorded order.
    var duplicates: [Group] {
        groups.values.joined().filter { $0.numbers.count > 1 }.sorted { $0.numbers[0] < $1.numbers[0] }
    }

    /// What an interaction says, but for the date of its answer.
    private struct Content: Hashable {
        private let request: [Projection]
        private let status: Int?
        private let headers: [HeaderList.Field]
        private let body: Projection
        private let failure: String?

        init(_ interaction: Interaction) {
            request = [Matcher].default.map { $0.projection(interaction.request) }
            status = interaction.response?.status
            headers = interaction.response?.headers.filter { !$0.hasName("Date") } ?? []
            body = .bytes(interaction.response?.body.data ?? .init())
            failure = interaction.failure?.line
        }
    }
}

extension DuplicateSearch.Group {
    /// What is told of them.
    var message: String {
        "\(title): recorded again as \(Counted.list(numbers.dropFirst()))"
    }
}
