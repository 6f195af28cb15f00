import Foundation

/// A line of a journal: an interaction as the entry of an archive, with its place and what tells whether it is whole.
///
/// `7 1834 {"startedDateTime": …} 9f3ac2d1e05b7a64` is the interaction of the eighth request, its entry of 1834 bytes, and
/// the checksum of all that stands before it.
struct JournalLine {
    /// The place of its request among those that were recorded.
    let place: Int
    /// What was recorded.
    let interaction: Interaction

    /// Gives the line away piece by piece, so that a great body is in memory only once; most lines are one piece.
    func write(_ body: (Data) throws -> Void) rethrows {
        let entry = JournalEntryText(interaction)
        var checksum = Checksum()
        // An array, as to add a byte to `Data` costs as much as to add a hundred.
        var piece = Array("\(place) \(entry.count) ".utf8)
        piece.reserveCapacity(min(entry.count, Self.pieceSize) + 64)
        try entry.eachPart { part in
            part.withUnsafeBytes { piece.append(contentsOf: $0) }
            guard piece.count >= Self.pieceSize else { return }
            piece.withUnsafeBytes { checksum.add($0) }
            try body(Data(piece))
            piece.removeAll(keepingCapacity: true)
        }
        piece.append(JSONByte.space)
        piece.withUnsafeBytes { checksum.add($0) }
        piece.append(contentsOf: checksum.text.utf8)
        piece.append(JSONByte.lineFeed)
        try body(Data(piece))
    }

    private static let pieceSize = 512 * 1024
}

extension JournalLine {
    /// Reads a line without its end; `nil` where any of it is missing or spoiled.
    /// - Throws: What is wrong with an entry that is as it was written, of another version perhaps.
    init?(_ line: Data) throws {
        guard let start = line.firstIndex(of: JSONByte.space),
            let place = Self.number(line[..<start]),
            let next = line[(start + 1)...].firstIndex(of: JSONByte.space),
            let count = Self.number(line[(start + 1)..<next]),
            // The entry, a space and sixteen digits follow.
            line.endIndex - next - 1 == count + 17, line[next + 1 + count] == JSONByte.space
        else { return nil }
        var checksum = Checksum()
        checksum.add(line[...(next + 1 + count)])
        let entry = line[(next + 1)..<(next + 1 + count)]
        guard checksum.text.utf8.elementsEqual(line[(next + 2 + count)...]) else { return nil }
        self.init(place: place, interaction: try HARReader.entry(entry, nil).interaction)
    }

    /// A number as it is written here, of no more digits than any size has.
    private static func number(_ digits: Data) -> Int? {
        let isPlain = digits.allSatisfy { JSONByte.zero...JSONByte.nine ~= $0 }
        return isPlain && digits.count < 16 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}
