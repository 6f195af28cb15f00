import Foundation
import Rewind

/// `rewind list`: the cassettes of a folder.
struct ListCommand: Subcommand {
    private static let sort = Synopsis.Option(
        name: "--sort",
        value: "KEY",
        meaning: "name, which is the default, age (the oldest first), size or interactions (the most first)",
        kind: .oneOf(CassetteListing.Order.allCases.map(\.rawValue))
    )
    private static let json = Synopsis.Option(name: "--json", meaning: "an array of objects, for programs")

    static let synopsis = Synopsis(
        name: "list",
        summary: "list the cassettes of a folder",
        operands: [
            .init(
                name: "DIR",
                meaning: "the folder; the one that REWIND_CASSETTES names, or else Cassettes, by default",
                kind: .folder,
                isOptional: true
            )
        ],
        options: [sort, json],
        discussion: """
            Cassettes are found at any depth. Their age is that of the newest interaction, and their size that of the
            file with its bodies. A cassette that cannot be read is told on standard error, and the rest is listed.
            """,
        examples: ["rewind list Cassettes", "rewind list Tests/Cassettes --sort age"]
    )

    private let folder: URL
    private let order: CassetteListing.Order
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        folder = arguments.operands.first.map { URL(fileURLWithPath: $0) } ?? CassetteFolder.usual
        order = try arguments.choice(Self.sort).flatMap(CassetteListing.Order.init) ?? .name
        isJSON = arguments.has(Self.json)
    }

    func run(in console: Console) async throws -> ExitStatus {
        guard CassetteFolder.isFolder(folder) else {
            throw NoFolder(
                path: folder.displayPath,
                isFile: FileManager.default.fileExists(atPath: folder.path)
            )
        }
        let contents = try CassetteFolder(folder)
        var listing = CassetteListing(contents.files, in: folder)
        listing.sort(by: order)
        let text = ListingText(listing.cassettes)
        if isJSON {
            console.print(VisibleText.json(text.json))
        } else if contents.files.isEmpty {
            console.print("There are no cassettes in \(folder.displayPath).")
        } else {
            if !listing.cassettes.isEmpty { console.print(text.table(console.style) + "\n") }
            console.print(text.totals)
        }
        if !isJSON {
            tell(
                "Recording of a failed test:",
                "Recordings of failed tests:",
                contents.failedRecordings,
                console
            )
            tell(
                "Recovered of a run that ended too early:",
                "Recovered of runs that ended too early:",
                contents.recoveredRecordings,
                console
            )
        }
        for problem in listing.problems { console.complain(problem) }
        return listing.problems.reduce(.success) { $0.and(ExitStatus(of: $1)) }
    }

    private func tell(_ one: String, _ many: String, _ recordings: [URL], _ console: Console) {
        guard !recordings.isEmpty else { return }
        let names = recordings.map { "  " + VisibleText.line($0.path(in: folder)) }
        let title = console.style(.yellow, recordings.count == 1 ? one : many)
        console.print(([title] + names).joined(separator: "\n"))
    }
}

/// A folder that is not there.
private struct NoFolder: Error, CustomStringConvertible {
    let path: String
    let isFile: Bool

    var description: String {
        isFile
            ? "\(path) is a file and no folder.\n  `rewind show \(path)` shows what is in it."
            : "There is no folder \(path).\n  Record a test, or name the folder of the cassettes: rewind list DIR"
    }
}

/// A list of cassettes as it is shown to a person, or to a program.
struct ListingText {
    private let cassettes: [ListedCassette]

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
