import Foundation
import Rewind

/// A list of cassettes as it is shown to a person, or to a program.
struct ListingText {
    private let cassettes: [ListedCassette]

    /// Takes the cassettes of a list.
    init(_ cassettes: [ListedCassette]) {
        self.cassettes = cassettes
    }

    /// A line for each cassette under a head.
    func table(_ style: TextStyle) -> String {
        let hasOthers = cassettes.contains { !$0.isNative }
        let head = ["CASSETTE", "INTERACTIONS", "HOSTS", "AGE", "SIZE"] + (hasOthers ? ["FORMAT"] : [])
        var table = TextTable([.left, .right, .left, .right, .right, .left])
        table.add(head)
        for cassette in cassettes {
            table.add([
                VisibleText.line(cassette.name), "\(cassette.interactionCount)",
                Self.hosts(cassette.hosts), cassette.newest.map { TimeText.age(of: $0) } ?? "unknown",
                ByteCount(cassette.size).description, cassette.isNative ? "" : cassette.format,
            ])
        }
        let lines = table.lines { text, row, column in
            row == 0 ? style(.dim, text) : column == 0 ? style(.bold, text) : text
        }
        return lines.joined(separator: "\n")
    }

    /// How much there is of everything, in a line.
    var totals: String {
        let hosts = Set(cassettes.flatMap(\.hosts)).count
        let interactions = cassettes.reduce(0) { $0 + $1.interactionCount }
        return [
            Counted.text(cassettes.count, "cassette"), Counted.text(interactions, "interaction"),
            Counted.text(hosts, "host"), ByteCount(cassettes.reduce(0) { $0 + $1.size }).description,
        ].joined(separator: ", ")
    }

    /// The list as JSON, an object for each cassette.
    var json: JSON {
        .array(
            cassettes.map { cassette in
                [
                    "name": .string(cassette.name),
                    "path": .string(cassette.file.displayPath),
                    "interactions": JSON(cassette.interactionCount),
                    "hosts": .array(cassette.hosts.map(JSON.string)),
                    "newest": cassette.newest.map { .string(HARDate.text($0)) } ?? .null,
                    "size": JSON(cassette.size),
                    "format": .string(cassette.format),
                ]
            }
        )
    }

    private static func hosts(_ hosts: [String]) -> String {
        let shown = hosts.prefix(hosts.count > 3 ? 2 : 3).map(VisibleText.line).joined(separator: ", ")
        return hosts.count > 3 ? "\(shown) and \(hosts.count - 2) more" : shown
    }
}
