import Foundation

/// Writes a cassette as an archive.
struct HARWriter {
    private let cassette: Cassette
    private var shelf: BodyShelf
    private let attachments: Attachments?
    private var paths: Set<String> = []

    /// - Parameters:
    ///   - cassette: What is written.
    ///   - shelf: Where large bodies go; into the archive by default.
    ///   - attachments: The files beside the archive, in which bodies may stand already.
    init(_ cassette: Cassette, shelf: BodyShelf = BodyShelf(), attachments: Attachments? = nil) {
        self.cassette = cassette
        self.shelf = shelf
        self.attachments = attachments
    }

    /// The archive and the files beside it.
    mutating func archive() -> HARArchive {
        let entries = cassette.interactions.enumerated().map { entry(of: $1, number: $0 + 1) }
        // Room that is asked for and not used costs nothing.
        let size = cassette.interactions.reduce(4096) { $0 + 4096 + 2 * ($1.response?.body.count ?? 0) }
        var writer = JSONWriter(reservingCapacity: min(size, 1 << 28))
        writer.object { writer in
            for member in Self.merged(["log": .object(Self.frame)], with: cassette.surroundings).members {
                guard member.name == "log", let log = member.value.objectValue else {
                    writer.member(named: member.name, member.value)
                    continue
                }
                writer.member("log") { writer in
                    writer.object { writer in
                        for member in log.members { writer.member(named: member.name, member.value) }
                        writer.member("entries") { writer in
                            writer.array { HAREntryText.write(entries, to: &$0) }
                        }
                    }
                }
            }
        }
        return HARArchive(document: writer.document(), bodies: shelf.files, paths: paths)
    }

    // Firefox and k6 refuse an archive without `pages`.
    private static let frame: JSONObject = [
        "version": "1.2", "creator": ["name": .string(RecordedCassette.creator), "version": "1"], "pages": [],
    ]

    /// Repeats the text of an interaction that is as it was read, so that a rewrite differs only where it must.
    private mutating func entry(of interaction: Interaction, number: Int) -> HAREntryText {
        guard let original = interaction.original, let read = try? HARReader.entry(original.text, attachments)
        else {
            let paths = shelf.paths(of: interaction, number: number)
            self.paths.formUnion(paths.all)
            return .new(interaction, paths)
        }
        let stood = BodyPaths(of: read.members)
        shelf.know(stood, of: read.interaction)
        if read.interaction == interaction, shelf.keep(stood, of: interaction) {
            paths.formUnion(stood.all)
            return .verbatim(original.text)
        }
        let places = shelf.paths(of: interaction, number: number)
        guard let before = HAREntry.members(of: read.interaction, bodiesAt: stood),
            let after = HAREntry.members(of: interaction, bodiesAt: places)
        else {
            // What others wrote beside it is lost, and not the interaction.
            paths.formUnion(places.all)
            return .new(interaction, places)
        }
        let members = HARRewrite.members(read.members, from: before, to: after)
        self.paths.formUnion(BodyPaths(of: members).all)
        return .rewritten(members)
    }

    /// An object with the members of another added or, where both have them, put in place, at any depth of objects.
    private static func merged(_ object: JSONObject, with other: JSONObject) -> JSONObject {
        other.members.reduce(into: object) { result, member in
            if let left = result[member.name]?.objectValue, let right = member.value.objectValue {
                result[member.name] = .object(merged(left, with: right))
            } else {
                result[member.name] = member.value
            }
        }
    }
}
