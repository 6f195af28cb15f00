import Foundation
import Rewind

struct ListCommand: Subcommand {
    private static let sort = Option(
        "--sort KEY",
        "sort by name (default), age (oldest first), size (largest first) or interactions (most first)",
        .oneOf(CassetteListing.Order.allCases.map(\.rawValue))
    )
    private static let json = Option("--json", "print a JSON array")

    static let synopsis = Synopsis(
        name: "list",
        summary: "list the cassettes in a folder",
        operands: [
            .init(
                "[DIR]",
                "the folder; default: \(CassetteFolder.defaultMeaning)",
                .folder
            )
        ],
        options: [sort, json],
        discussion: """
            Subfolders are included. The age is that of the newest interaction. The size includes body files. A cassette
            that cannot be read is reported on standard error; the others are still listed.
            """,
        examples: ["rewind list Cassettes", "rewind list Tests/Cassettes --sort age"]
    )

    private let folder: URL
    private let order: CassetteListing.Order
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        folder = CassetteFolder.url(arguments.operands.first)
        order = try arguments.choice(Self.sort).flatMap(CassetteListing.Order.init) ?? .name
        isJSON = arguments.has(Self.json)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let contents = try CassetteFolder(folder)
        contents.noteLinks(on: console)
        var listing = CassetteListing(contents.files, in: folder)
        listing.sort(by: order)
        let text = ListingText(cassettes: listing.cassettes)
        if isJSON {
            console.print(VisibleText.json(text.json))
        } else if contents.files.isEmpty {
            console.print("No cassettes in \(folder.displayPath).")
        } else {
            if !listing.cassettes.isEmpty { console.print(text.table(console.style) + "\n") }
            console.print(text.totals)
        }
        if !isJSON {
            let (failed, recovered) = (contents.failedRecordings, contents.recoveredRecordings)
            list(failed, "Recording of a failed test:", "Recordings of failed tests:", console)
            list(recovered, "Recovered from an interrupted run:", "Recovered from interrupted runs:", console)
            let title = "Not saved because of values that look like credentials:"
            list(contents.refusedRecordings, title, title, console)
        }
        for problem in listing.problems { console.printError(problem) }
        return listing.problems.reduce(.success) { $0.and(ExitStatus(of: $1)) }
    }

    private func list(_ recordings: [URL], _ one: String, _ many: String, _ console: Console) {
        guard !recordings.isEmpty else { return }
        let names = recordings.map { "  " + VisibleText.line($0.displayPath(in: folder)) }
        let title = console.style(.yellow, recordings.count == 1 ? one : many)
        console.print(([title] + names).joined(separator: "\n"))
    }
}

private struct ListingText {
    let cassettes: [ListedCassette]

    func table(_ style: TextStyle) -> String {
        let hasForeign = cassettes.contains { !$0.isNative }
        let head = ["CASSETTE", "INTERACTIONS", "HOSTS", "AGE", "SIZE"] + (hasForeign ? ["FORMAT"] : [])
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
