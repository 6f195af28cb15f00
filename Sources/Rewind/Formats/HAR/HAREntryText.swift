import Foundation

/// What is written of an interaction once the places of its bodies are known, which depend on those before it.
enum HAREntryText: Sendable {
    /// The text of an interaction that is as it was read.
    case verbatim(Data)
    /// What became of the members that were read.
    case rewritten(JSONObject)
    /// An interaction that was never written.
    case new(Interaction, BodyPaths)

    /// Writes it as the next element of an array.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .verbatim(let text): writer.verbatim(text)
        case .rewritten(let members): writer.value(.object(members))
        case .new(let interaction, let paths): HAREntry.write(interaction, bodiesAt: paths, to: &writer)
        }
    }

    /// Writes elements of an array, many of them on all processors, as each is written by itself.
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
