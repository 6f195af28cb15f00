import Foundation

/// Writes a cassette as an archive.
struct HARWriter {
    private let cassette: Cassette

    init(_ cassette: Cassette) {
        self.cassette = cassette
    }

    var document: Data {
        var writer = JSONWriter(reservingCapacity: 4096)
        writer.object { writer in
            for member in Self.merged(["log": .object(Self.frame)], with: cassette.surroundings).members {
                guard member.name == "log", let log = member.value.objectValue else {
                    writer.member(member.name, member.value)
                    continue
                }
                writer.member("log") { writer in
                    writer.object { writer in
                        for member in log.members { writer.member(member.name, member.value) }
                        writer.member("entries") { writer in
                            writer.array { writer in
                                for interaction in cassette.interactions {
                                    Self.write(interaction, to: &writer)
                                }
                            }
                        }
                    }
                }
            }
        }
        return writer.document
    }

    // Firefox and k6 refuse an archive without `pages`.
    private static let frame: JSONObject = [
        "version": "1.2", "creator": ["name": .string(creator), "version": "1"], "pages": [],
    ]

    fileprivate static let creator = "Rewind"

    /// Repeats the text of an interaction that is as it was read, so that a rewrite differs only where it must.
    private static func write(_ interaction: Interaction, to writer: inout JSONWriter) {
        guard let original = interaction.original, let read = try? HARReader.entry(original) else {
            return writer.value(.object(HAREntry.members(of: interaction)))
        }
        if read.interaction == interaction { return writer.verbatim(original.text) }
        let before = HAREntry.members(of: read.interaction)
        let after = HAREntry.members(of: interaction)
        writer.value(.object(HARRewrite.members(read.members, from: before, to: after)))
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

extension HARReader {
    /// Reads one entry from the text it stood as.
    fileprivate static func entry(_ text: OriginalText) throws -> (
        interaction: Interaction, members: JSONObject
    ) {
        let value = try JSON(parsing: text.text)
        let range = text.text.startIndex..<text.text.endIndex
        let field = JSONField(value, place: .text(0, range: range, of: text.text))
        let interaction = try HAREntry(field, nil).interaction()
        return (interaction, value.objectValue ?? JSONObject())
    }
}

extension Cassette {
    /// Whether another program wrote the file that the cassette was read from.
    package var isWrittenByOthers: Bool {
        surroundings["log"]?["creator"]?["name"]?.stringValue != HARWriter.creator
    }
}
