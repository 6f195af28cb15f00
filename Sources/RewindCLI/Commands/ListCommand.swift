import Foundation
import Rewind

struct ListCommand: Subcommand {
    private static let sort = Option(
        "--sort KEY",
        "name, which is the default, age (the oldest first), size or interactions (the most first)",
        .oneOf(CassetteListing.Order.allCases.map(\.rawValue))
    )
    private static let json = Option("--json", "an array of objects, for programs")

    static let synopsis = Synopsis(
        name: "list",
        summary: "list the cassettes of a folder",
        operands: [
            .init(
                "[DIR]",
                "the folder; the one that REWIND_CASSETTES names, or else Cassettes, by default",
                .folder
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
            let path = folder.displayPath
            throw CommandError(
                description: FileManager.default.fileExists(atPath: folder.path)
                    ? "\(path) is a file and no folder.\n  `rewind show \(path)` shows what is in it."
                    : "There is no folder \(path).\n"
                        + "  Record a test, or name the folder of the cassettes: rewind list DIR"
            )
        }
        let contents = try CassetteFolder(folder)
        var listing = CassetteListing(contents.files, in: folder)
        listing.sort(by: order)
        let text = ListingText(cassettes: listing.cassettes)
        if isJSON {
            console.print(VisibleText.json(text.json))
        } else if contents.files.isEmpty {
            console.print("There are no cassettes in \(folder.displayPath).")
        } else {
            if !listing.cassettes.isEmpty { console.print(text.table(console.style) + "\n") }
            console.print(text.totals)
        }
        if !isJSON {
            let (failed, recovered) = (contents.failedRecordings, contents.recoveredRecordings)
            tell("Recording of a failed test:", "Recordings of failed tests:", failed, console)
            let (one, many) = (
                "Recovered of a run that ended too early:", "Recovered of runs that ended too early:"
            )
            tell(one, many, recovered, console)
        }
        for problem in listing.problems { console.complain(problem) }
        return listing.problems.reduce(.success) { $0.and(ExitStatus(of: $1)) }
    }

    private func tell(_ one: String, _ many: String, _ recordings: [URL], _ console: Console) {
        guard !recordings.isEmpty else { return }
        let names = recordings.map { "  " + VisibleText.line($0.displayPath(in: folder)) }
        let title = console.style(.yellow, recordings.count == 1 ? one : many)
        console.print(([title] + names).joined(separator: "\n"))
    }
}

private struct ListingText {
    let cassettes: [ListedCassette]

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
        return table.lines { text, row, column in
            row == 0 ? style(.dim, text) : column == 0 ? style(.bold, text) : text
        }.joined(separator: "\n")
    }

    var totals: String {
        let hosts = Set(cassettes.flatMap(\.hosts)).count
        let interactions = cassettes.reduce(0) { $0 + $1.interactionCount }
        return [
            Counted.text(cassettes.count, "cassette"), Counted.text(interactions, "interaction"),
            Counted.text(hosts, "host"), ByteCount(cassettes.reduce(0) { $0 + $1.size }).description,
        ].joined(separator: ", ")
    }

    var json: JSON {
        .array(
            cassettes.map { cassette in
                [
                    "name": .string(cassette.name), "path": .string(cassette.file.displayPath),
                    "interactions": JSON(cassette.interactionCount),
                    "hosts": .array(cassette.hosts.map(JSON.string)),
                    "newest": cassette.newest.map { .string(HARDate.text($0)) } ?? .null,
                    "size": JSON(cassette.size), "format": .string(cassette.format),
                ]
            }
        )
    }

    private static func hosts(_ hosts: [String]) -> String {
        let shown = hosts.prefix(hosts.count > 3 ? 2 : 3).map(VisibleText.line).joined(separator: ", ")
        return hosts.count > 3 ? "\(shown) and \(hosts.count - 2) more" : shown
    }
}
