import Foundation

/// The names of the journals of a cassette: `talk.5f3a9c01d2b4.journal` beside `talk.har`.
///
/// Each recording has a name of its own, so that many processes may record the same cassette at once.
struct JournalName {
    private let folder: URL
    private let stem: String

    init(of cassette: URL) {
        folder = cassette.deletingLastPathComponent()
        stem = Self.shortened(cassette.deletingPathExtension().lastPathComponent)
    }

    /// A name that no journal has.
    func unused() -> URL {
        let digits = UInt64.random(in: 0..<1 << (4 * UInt64(Self.digits)))
        return folder.appendingPathComponent(
            "\(stem).\(Hexadecimal.text(digits, digits: Self.digits)).\(Self.ending)"
        )
    }

    /// The journals there are, in the order of their names.
    func existing() -> [URL] {
        DirectoryListing.names(in: folder).filter(isOne).sorted().map(folder.appendingPathComponent)
    }

    private func isOne(_ name: String) -> Bool {
        guard name.hasSuffix("." + Self.ending), name.hasPrefix(stem + ".") else { return false }
        let middle = name.utf8.dropFirst(stem.utf8.count + 1).dropLast(Self.ending.utf8.count + 1)
        return middle.count == Self.digits && middle.allSatisfy(Hexadecimal.isDigit)
    }

    /// A name that leaves room for what is added to it; where it had to be cut, a fingerprint of the whole tells it from
    /// others.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > 200 else { return name }
        var short = name
        while short.utf8.count > 180 { short.removeLast() }
        var checksum = Checksum()
        checksum.add(Data(name.utf8))
        return "\(short)~\(checksum.text)"
    }

    private static let digits = 12
    private static let ending = "journal"
}
