import Foundation

struct HARWriter {
    let cassette: Cassette
    var bodyFiles = BodyFiles()
    /// The existing body files.
    var attachments: Attachments?
    /// Whether to add what HAR 1.2 requires to entries of other tools.
    var completes = false
    var paths: Set<String> = []

    mutating func archive() -> HARArchive {
        let entries = cassette.interactions.enumerated().map { entry(of: $1, number: $0 + 1) }
        // Reserved memory costs nothing if it is not used.
        let size = cassette.interactions.reduce(4096) { $0 + 4096 + 2 * ($1.response?.body.count ?? 0) }
        var writer = JSONWriter(reservingCapacity: min(size, 1 << 28))
        writer.object { writer in
            for member in Self.merged(["log": .object(Self.frame)], with: cassette.surroundings).members {
                guard member.name == "log", let log = member.value.objectValue else {
                    writer.member(named: member.name, member.value)
                    continue
                }
                let complete = completes ? HARCompletion.log(log, from: Self.frame) : log
                writer.member("log") { writer in
                    writer.object { writer in
                        for member in complete.members { writer.member(named: member.name, member.value) }
                        writer.member("entries") { writer in
                            writer.array { HAREntryText.write(entries, to: &$0) }
                        }
                    }
                }
            }
        }
        return HARArchive(document: writer.document(), bodies: bodyFiles.files, paths: paths)
    }

    // Firefox and k6 reject an archive without `pages`.
    private static let frame: JSONObject = [
        "version": "1.2", "creator": ["name": .string(RecordedCassette.creator), "version": "1"], "pages": [],
    ]

    /// Repeats the text of an unchanged interaction, so that a rewrite changes only what is necessary.
    private mutating func entry(of interaction: Interaction, number: Int) -> HAREntryText {
        guard let original = interaction.original, let read = try? HAREntry.read(original.text, attachments)
        else {
            let paths = bodyFiles.paths(of: interaction, number: number)
            self.paths.formUnion(paths.all)
            return .new(interaction, paths)
        }
        var (before, stood) = read
        before.adoptReasons(of: interaction)
        bodyFiles.know(stood, of: before)
        if before == interaction, bodyFiles.keep(stood, of: interaction) {
            paths.formUnion(stood.all)
            guard completes, let members = (try? JSON(parsing: original.text))?.objectValue else {
                return .verbatim(original.text)
            }
            let completed = completed(members, interaction, stood)
            return completed == members ? .verbatim(original.text) : .rewritten(completed)
        }
        var places = bodyFiles.paths(of: interaction, number: number)
        // A body that cannot be read stays where it is.
        if !before.isReplayable, before.outcome == interaction.outcome { places.response = stood.response }
        guard let members = (try? JSON(parsing: original.text))?.objectValue else {
            paths.formUnion(places.all)
            return .new(interaction, places)
        }
        // The entry itself says why it does not answer, unless it did when it was read.
        let tellsReason =
            members["_rewind"]?["unanswered"] != nil || before.outcome != interaction.outcome
            || members["response"]?["status"] == nil
        guard let old = HAREntryWriter.members(of: before, bodiesAt: stood, tellsReason: tellsReason),
            let new = HAREntryWriter.members(of: interaction, bodiesAt: places, tellsReason: tellsReason)
        else {
            // Members that other tools added are lost, but not the interaction.
            paths.formUnion(places.all)
            return .new(interaction, places)
        }
        let rewritten = HARRewrite.members(members, from: old, to: new)
        paths.formUnion(BodyPaths(of: rewritten).all)
        return .rewritten(completes ? completed(rewritten, interaction, places) : rewritten)
    }

    private func completed(_ members: JSONObject, _ interaction: Interaction, _ places: BodyPaths) -> JSONObject
    {
        if HARSchema.entry.accepts(.object(members)) { return members }
        let whole = HAREntryWriter.members(of: interaction, bodiesAt: places, tellsReason: true)
        return whole.map { HARCompletion.entry(members, from: $0) } ?? members
    }

    /// Merges objects at any depth. If both have a member, the one of the second object counts.
    private static func merged(_ object: JSONObject, with other: JSONObject) -> JSONObject {
        var members = object.members
        // A file may contain very many members, so they are not searched for each name.
        var places = object.lastPlaces
        for member in other.members {
            guard let place = places[Array(member.name.utf8)] else {
                places[Array(member.name.utf8)] = members.count
                members.append(member)
                continue
            }
            if let left = members[place].value.objectValue, let right = member.value.objectValue {
                members[place].value = .object(merged(left, with: right))
            } else {
                members[place].value = member.value
            }
        }
        return JSONObject(members)
    }
}

package struct HARArchive: Sendable {
    package var document: Data
    /// The contents of its body files, by their paths relative to the archive's folder.
    package var bodies: [String: Data]
    /// The paths of all body files that the archive names, even of missing ones.
    package var paths: Set<String>
}

/// An entry to write. The paths of its bodies are known, which depend on the entries before it.
private enum HAREntryText: Sendable {
    /// The text of an unchanged interaction.
    case verbatim(Data)
    /// The members of a changed interaction.
    case rewritten(JSONObject)
    /// An interaction that has not been written before.
    case new(Interaction, BodyPaths)

    func write(to writer: inout JSONWriter) {
        switch self {
        case .verbatim(let text): writer.verbatim(text)
        case .rewritten(let members): writer.value(.object(members))
        case .new(let interaction, let paths): HAREntryWriter.write(interaction, bodiesAt: paths, to: &writer)
        }
    }

    /// Writes elements of an array on all processors.
    static func write(_ entries: [HAREntryText], to writer: inout JSONWriter) {
        let depth = writer.depth
        let parts = entries.mapParts { part in
            var text = JSONWriter(elementsAtDepth: depth, reservingCapacity: part.count << 12)
            for entry in part { entry.write(to: &text) }
            return text.elements()
        }
        for part in parts { writer.elements(part) }
    }
}

extension Interaction {
    /// Takes over the reasons why parts are not known, because they name a line of the file.
    fileprivate mutating func adoptReasons(of other: Interaction) {
        if !isReplayable, !other.isReplayable { outcome = other.outcome }
        if request.bodyAbsence != nil, let reason = other.request.bodyAbsence { request.bodyAbsence = reason }
    }
}
