import Foundation
import Rewind

struct PruneCommand: Subcommand {
    private static let manifest = Option(
        "--manifest FILE …",
        "what a run of all tests wrote with REWIND_MANIFEST set, which is the default",
        .file
    )
    private static let only = Option(
        "--only WHAT",
        "cassettes or interactions; both by default",
        .oneOf(["cassettes", "interactions"])
    )
    private static let apply = Option("--apply", "take out what is listed; by default it is only listed")

    static let synopsis = Synopsis(
        name: "prune",
        summary: "list, and take out, the cassettes and interactions that no test used",
        operands: [
            .init("[DIR]", "the folder of the cassettes; `Cassettes` of the project by default", .folder)
        ],
        options: [manifest, only, apply],
        discussion: """
            Only a manifest tells what was used, never a guess: REWIND_MANIFEST=.build/played swift test writes one. It has
            to be of a run of all tests that passed; one of a run that crashed, or still runs, is refused. Left alone and
            told of are the cassettes in whose use a test failed, those that changed since the run, and files that are
            no archives, which a stub may read. All else in an archive stays as it is. The exit status is 1 where
            something is listed.
            """,
        examples: [
            "rewind prune --manifest .build/played",
            "rewind prune Cassettes --manifest linux --manifest macos --apply",
        ]
    )

    private let folder: URL?
    private let manifests: [URL]
    private let only: String?
    private let applies: Bool

    init(_ arguments: ParsedArguments) throws {
        folder = arguments.operands.first.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let named = arguments.all(Self.manifest)
        let words = named.isEmpty ? [Environment.process[.manifest]].compactMap { $0 } : named
        guard !words.isEmpty else { throw UsageError.missingOption(Self.manifest.name) }
        manifests = words.map { URL(fileURLWithPath: $0) }
        only = try arguments.choice(Self.only)
        applies = arguments.has(Self.apply)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let directory = FileManager.default.currentDirectoryPath
        let folder = try folder ?? CassetteDirectory.ofProject(containing: directory)
        let evidence = try PruneEvidence(Manifest(contentsOf: manifests), in: folder, manifest: manifests[0])
        var report = PruneReport(isApplied: applies)
        let status = await console.each(try CassetteFolder(folder).files) { url in
            let verdict = try PruneVerdict(of: url, by: evidence)
            guard isWanted(verdict) else { return .success }
            if applies { try apply(verdict, to: url, in: folder) }
            report.add(verdict, of: url)
            return .success
        }
        console.print(report.lines(console.style).joined(separator: "\n"))
        return applies || report.isEmpty ? status : status.and(.failure)
    }

    private func isWanted(_ verdict: PruneVerdict) -> Bool {
        switch verdict {
        case .unused: only != "interactions"
        case .unplayed: only != "cassettes"
        case .leftAlone(let part, _): only == nil || only == part.rawValue
        case .used: true
        }
    }

    private func apply(_ verdict: PruneVerdict, to url: URL, in folder: URL) throws {
        switch verdict {
        case .unused:
            try CassetteRewrite.remove(url)
            // A folder that still holds something is not removed.
            var parent = url.deletingLastPathComponent().standardizedFileURL
            while parent.path(below: folder.standardizedFileURL) != nil, rmdir(parent.path) == 0 {
                parent.deleteLastPathComponent()
            }
        case .unplayed(let unplayed): try unplayed.rewrite.write()
        case .leftAlone, .used: break
        }
    }
}

private struct PruneReport {
    let isApplied: Bool
    var unused: [(path: String, count: Int, size: Int)] = []
    var unplayed: [(path: String, part: UnplayedPart)] = []
    var leftAlone: [(path: String, reason: String)] = []
    var usedCount = 0

    var isEmpty: Bool { unused.isEmpty && unplayed.isEmpty }

    mutating func add(_ verdict: PruneVerdict, of url: URL) {
        switch verdict {
        case .unused(let count, let size): unused.append((url.displayPath, count, size))
        case .unplayed(let part): unplayed.append((url.displayPath, part))
        case .leftAlone(_, let reason): leftAlone.append((url.displayPath, reason))
        case .used: usedCount += 1
        }
    }

    func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([.left, .right, .right])
        for (path, count, size) in unused {
            let interactions = Counted.text(count, "interaction")
            table.add(["  " + VisibleText.line(path), interactions, ByteCount(size).description])
        }
        let unplayedLines = unplayed.flatMap { path, part in
            ["  \(VisibleText.line(path))   \(ByteCount(part.size))"]
                + part.requests.map { VisibleText.line("    #\($0.number) \($0.request)") }
        }
        let leftAloneLines = leftAlone.map { VisibleText.line("  \($0.path): \($0.reason)") }
        let sections = [
            ("No test used", table.lines()), ("No test played", unplayedLines), ("Left alone", leftAloneLines),
        ]
        return sections.filter { !$1.isEmpty }.flatMap { [style(.bold, $0)] + $1 + [""] } + [summary]
    }

    private var summary: String {
        guard !isEmpty else {
            return leftAlone.isEmpty
                ? "Tests used all of \(Counted.text(usedCount, "cassette"))." : "Nothing goes."
        }
        let interactions = unplayed.reduce(0) { $0 + $1.part.requests.count }
        let parts = [
            unused.isEmpty ? nil : Counted.text(unused.count, "cassette"),
            unplayed.isEmpty ? nil : Counted.text(interactions, "interaction"),
        ]
        let all = parts.compactMap { $0 }.joined(separator: " and ")
        let size = ByteCount(unused.reduce(0) { $0 + $1.size } + unplayed.reduce(0) { $0 + $1.part.size })
        return isApplied ? "Took out \(all), \(size)." : "\(all) would go, \(size). Take them out with --apply."
    }
}
