import Rewind

/// In what two cassettes differ, interaction by interaction.
struct CassetteDifference: Sendable {
    /// What became of an interaction.
    struct Entry: Sendable {
        /// The number on the left, counted from one; `nil` where it is new.
        let left: Int?
        /// The number on the right; `nil` where it is gone.
        let right: Int?
        /// Whether it stands elsewhere among the others.
        let isMoved: Bool
        /// The request; that of the left where there are two.
        let request: Request
        /// What the answer is, in a few words; that of the right where there are two.
        let answer: String
        /// The parts in which the two differ.
        let differences: [PartDifference]
    }

    /// What became of how many.
    enum Change: String, CaseIterable, Sendable {
        case changed, added, removed, moved
    }

    /// The interactions that differ, in the order of the right.
    private(set) var entries: [Entry] = []
    /// How many are the same and stand where they stood.
    private(set) var sameCount = 0

    /// Compares two cassettes.
    init(_ left: any InteractionList, _ right: any InteractionList, _ compared: ComparedParts) {
        let pairing = InteractionPairing(left, right, compared)
        let mates = Dictionary(uniqueKeysWithValues: pairing.pairs.map { ($0.right, $0) })
        var gone = pairing.removed[...]
        var stays = pairing.pairs.filter { !$0.isMoved }[...]
        for position in right.indices {
            // What is gone is told where it stood between those that stay.
            while let pair = stays.first, pair.right < position { stays.removeFirst() }
            let next = stays.first?.left ?? left.count
            while let first = gone.first, first < next {
                append(left, first, isRemoved: true)
                gone.removeFirst()
            }
            if let pair = mates[position] {
                append(pair, left, right, compared)
            } else {
                append(right, position, isRemoved: false)
            }
        }
        for position in gone { append(left, position, isRemoved: true) }
    }

    /// How many interactions changed in a way; one that was moved may be changed as well.
    func count(of change: Change) -> Int { entries.count { $0.changes.contains(change) } }

    private mutating func append(_ reel: any InteractionList, _ position: Int, isRemoved: Bool) {
        let interaction = reel[position]
        entries.append(
            Entry(
                left: isRemoved ? position + 1 : nil,
                right: isRemoved ? nil : position + 1,
                isMoved: false,
                request: interaction.request,
                answer: interaction.answerLine,
                differences: []
            )
        )
    }

    private mutating func append(
        _ pair: InteractionPairing.Pair,
        _ left: any InteractionList,
        _ right: any InteractionList,
        _ compared: ComparedParts
    ) {
        let (interaction, other) = (left[pair.left], right[pair.right])
        let differences = InteractionDifference.between(interaction, other, compared)
        let isMoved = pair.isMoved && compared.hasOrder
        guard isMoved || !differences.isEmpty else {
            sameCount += 1
            return
        }
        entries.append(
            Entry(
                left: pair.left + 1,
                right: pair.right + 1,
                isMoved: isMoved,
                request: interaction.request,
                answer: other.answerLine,
                differences: differences
            )
        )
    }
}

extension CassetteDifference {
    /// Whether there is no difference.
    var isEmpty: Bool { entries.isEmpty }

    /// How many there are of each, in words.
    var summary: String {
        let counts = Change.allCases.map { (count(of: $0), $0.rawValue) } + [(sameCount, "the same")]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return parts.isEmpty ? "no interactions" : parts.joined(separator: ", ")
    }
}

extension CassetteDifference.Entry {
    /// What became of it.
    var changes: [CassetteDifference.Change] {
        guard left != nil else { return [.added] }
        guard right != nil else { return [.removed] }
        return (differences.isEmpty ? [] : [.changed]) + (isMoved ? [.moved] : [])
    }
}
