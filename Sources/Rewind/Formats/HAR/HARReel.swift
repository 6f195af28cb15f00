import Foundation

/// The interactions of an archive, made from its text when they are asked for.
struct HARReel: InteractionList {
    /// What stands around the entries.
    let surroundings: JSONObject
    private let text: Data
    private let entries: [Entry]

    private enum Entry: Sendable {
        case usual(HAROutline)
        indirect case unusual(Interaction)
    }

    /// Goes through an archive, or returns `nil` where it is broken or has to be read with more care.
    /// - Throws: ``CassetteProblem/tooLarge(_:)`` where it has more entries than the limit.
    init?(_ text: Data, _ attachments: Attachments?, atMost limit: Int = .max) throws {
        let scanned = try text.withUnsafeBytes { try HARScanner.archive(in: $0, atMost: limit) }
        guard let archive = scanned else { return nil }
        var hasRequest = archive.entries.isEmpty
        var entries: [Entry] = []
        entries.reserveCapacity(archive.entries.count)
        for entry in archive.entries {
            switch entry {
            case .usual(let outline):
                hasRequest = true
                entries.append(.usual(outline))
            case .unusual(let range):
                // What is wrong with an entry is told by who knows what is wrong before it.
                let original = text.part(range)
                guard var (interaction, _) = try? HARReader.entry(original, attachments) else { return nil }
                interaction.original = OriginalText(original)
                entries.append(.unusual(interaction))
            }
        }
        var frame = text.part(0..<archive.array.lowerBound)
        frame.append(contentsOf: "[]".utf8)
        frame.append(text.part(archive.array.upperBound..<text.count))
        guard hasRequest, let root = try? JSON(parsing: frame),
            let surroundings = try? HARReader.surroundings(of: root)
        else { return nil }
        self.text = text
        self.entries = entries
        self.surroundings = surroundings
    }

    var count: Int { entries.count }

    subscript(position: Int) -> Interaction {
        switch entries[position] {
        case .unusual(let interaction): return interaction
        case .usual(let outline):
            var interaction = text.withUnsafeBytes(outline.interaction)
            interaction.original = OriginalText(text.part(outline.text))
            return interaction
        }
    }

    func answer(at position: Int, to request: Request) -> Interaction {
        switch entries[position] {
        case .unusual(let interaction): interaction
        case .usual(let outline): text.withUnsafeBytes { outline.answer(to: request, in: $0) }
        }
    }

    func request(at position: Int, withHeaders: Bool) -> Request {
        switch entries[position] {
        case .unusual(let interaction): interaction.request
        case .usual(let outline): text.withUnsafeBytes { outline.request(in: $0, withHeaders: withHeaders) }
        }
    }

    func beginning(at position: Int) -> (url: String, startedAt: Date) {
        switch entries[position] {
        case .unusual(let interaction): (interaction.request.url, interaction.startedAt)
        case .usual(let outline): text.withUnsafeBytes(outline.beginning)
        }
    }

    func isReplayable(at position: Int) -> Bool {
        switch entries[position] {
        case .unusual(let interaction): interaction.isReplayable
        case .usual: true
        }
    }
}

extension Data {
    /// The bytes between two offsets from the start.
    fileprivate func part(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
