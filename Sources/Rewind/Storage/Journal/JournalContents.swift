import Foundation

/// What a journal holds.
struct JournalContents {
    /// Who recorded, and since when.
    let header: JournalHeader
    /// The whole lines, in the order of the requests.
    let lines: [JournalLine]
    /// The number of lines that were torn or spoiled, and are dropped.
    let brokenLines: Int
    /// What is wrong with the first of the lines that are whole and cannot be read, where there is one.
    let problem: String?

    /// What was finished, in the order of the requests.
    var interactions: [Interaction] { lines.map(\.interaction) }

    /// Reads a journal; `nil` where its first line is not that of one.
    init?(_ data: Data) {
        var lines = data.split(separator: JSONByte.lineFeed, omittingEmptySubsequences: true)[...]
        guard let header = lines.popFirst().flatMap(JournalHeader.init) else { return nil }
        var (read, brokenLines, problem) = ([JournalLine](), 0, String?.none)
        for line in lines {
            do {
                if let line = try JournalLine(line) { read.append(line) } else { brokenLines += 1 }
            } catch {
                problem = problem ?? "\(error)"
            }
        }
        self.header = header
        self.lines = read.sorted { $0.place < $1.place }
        self.brokenLines = brokenLines
        self.problem = problem
    }
}
