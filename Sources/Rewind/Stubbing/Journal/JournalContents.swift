import Foundation

/// What a journal holds.
struct JournalContents {
    /// Who recorded, and since when.
    let header: JournalHeader
    /// The whole lines, in the order of the requests.
    let lines: [JournalLine]
    /// The number of lines that were torn or spoiled, and are dropped.
    let brokenLines: Int

    /// What was finished, in the order of the requests.
    var interactions: [Interaction] { lines.map(\.interaction) }

    /// Reads a journal; `nil` where its first line is not that of one.
    init?(_ data: Data) {
        var lines = data.split(separator: JSONByte.lineFeed, omittingEmptySubsequences: true)[...]
        guard let header = lines.popFirst().flatMap(JournalHeader.init) else { return nil }
        let read = lines.map { JournalLine($0) }
        self.header = header
        self.lines = read.compactMap { $0 }.sorted { $0.place < $1.place }
        brokenLines = read.count { $0 == nil }
    }
}
