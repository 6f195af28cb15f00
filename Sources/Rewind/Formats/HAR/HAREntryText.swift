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
        let count = (entries.count + partSize - 1) / partSize
        guard count > 1 else { return entries.forEach { $0.write(to: &writer) } }
        let parts = Locked<[Int: Data]>([:])
        let depth = writer.depth
        DispatchQueue.concurrentPerform(iterations: count) { number in
            var part = JSONWriter(elementsAtDepth: depth, reservingCapacity: 1 << 20)
            for entry in entries[number * partSize..<min(entries.count, (number + 1) * partSize)] {
                entry.write(to: &part)
            }
            let text = part.elements()
            parts.withLock { $0[number] = text }
        }
        let written = parts.withLock { $0 }
        for number in 0..<count { writer.elements(written[number] ?? Data()) }
    }

    /// How many entries are written in one go.
    private static let partSize = 256
}
