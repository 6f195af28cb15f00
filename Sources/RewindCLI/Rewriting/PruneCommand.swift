import Foundation
import Rewind

struct PruneCommand: Subcommand {
    private static let manifest = Option(
        "--manifest FILE …",
        "a manifest that a run of all tests wrote; default: $REWIND_MANIFEST",
        .file
    )
    private static let only = Option(
        "--only WHAT",
        "cassettes or interactions; default: both",
        .oneOf(["cassettes", "interactions"])
    )
    private static let apply = Option("--apply", "remove what is listed; the default is to list only")

    static let synopsis = Synopsis(
        name: "prune",
        summary: "list or remove cassettes and interactions that no test used",
        operands: [
            .init("[DIR]", "the folder of the cassettes; default: \(CassetteFolder.defaultMeaning)", .folder)
        ],
        options: [manifest, only, apply],
        discussion: """
            A manifest lists what a test run used. To write one, run all tests and let them pass:
              REWIND_MANIFEST=.build/played swift test
            A manifest is rejected if its run crashed, has not ended, or ran only some tests, for example with a
            filter. A cassette is skipped, and listed with the reason, if a test that used it failed or was skipped, if
            a test in the sources could use it but did not run, if it changed since the run, or if it is not a HAR
            archive, because a stub may read it. If any test failed, no whole cassette is removed. The rest of an
            archive stays unchanged.
            Without --apply, the exit status is 1 if there is something to remove.
            """,
        examples: [
            "rewind prune --manifest .build/played",
            "rewind prune Cassettes --manifest linux --manifest macos --apply",
        ]
    )

    private let folder: URL
    private let manifests: [URL]
    private let only: String?
    private let applies: Bool

    init(_ arguments: ParsedArguments) throws {
        folder = CassetteFolder.url(arguments.operands.first)
        let named = arguments.all(Self.manifest)
        let paths = named.isEmpty ? [Environment.process[.manifest]].compactMap { $0 } : named
        guard !paths.isEmpty else {
            let note = "name the manifest of a test run, or set REWIND_MANIFEST"
            throw UsageError.missingOption(Self.manifest.name, note: note)
        }
        manifests = paths.map { URL(fileURLWithPath: $0) }
        only = try arguments.choice(Self.only)
        applies = arguments.has(Self.apply)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let contents = try CassetteFolder(folder)
        contents.noteLinks(on: console)
        let evidence = try PruneEvidence(Manifest(contentsOf: manifests), in: folder, manifest: manifests[0])
        var report = PruneReport(isApplied: applies)
        let status = await console.each(contents.files) { url in
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
        case .skipped(let part, _): only == nil || only == part.rawValue
        case .used: true
        }
    }

    private func apply(_ verdict: PruneVerdict, to url: URL, in folder: URL) throws {
        switch verdict {
        case .unused:
            try CassetteRewrite.remove(url)
            // `rmdir` fails for a folder that is not empty.
            var parent = url.deletingLastPathComponent().standardizedFileURL
            while parent.path(below: folder.standardizedFileURL) != nil, rmdir(parent.path) == 0 {
                parent.deleteLastPathComponent()
            }
        case .unplayed(let unplayed): try unplayed.rewrite.write()
        case .skipped, .used: break
        }
    }
}

private struct PruneReport {
    let isApplied: Bool
    var unused: [(path: String, count: Int, size: Int)] = []
    var unplayed: [(path: String, part: UnplayedPart)] = []
    var skipped: [(path: String, reason: String)] = []
    var usedCount = 0

    var isEmpty: Bool { unused.isEmpty && unplayed.isEmpty }

    mutating func add(_ verdict: PruneVerdict, of url: URL) {
        switch verdict {
        case .unused(let count, let size): unused.append((url.displayPath, count, size))
        case .unplayed(let part): unplayed.append((url.displayPath, part))
        case .skipped(_, let reason): skipped.append((url.displayPath, reason))
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
        let skippedLines = skipped.map { VisibleText.line("  \($0.path): \($0.reason)") }
        let sections = [
            ("Unused cassettes", table.lines()), ("Unplayed interactions", unplayedLines),
            ("Skipped", skippedLines),
        ]
        return sections.filter { !$1.isEmpty }.flatMap { [style(.bold, $0)] + $1 + [""] } + [summary]
    }

    private var summary: String {
        guard !isEmpty else {
            let checked = "\(Counted.text(usedCount + skipped.count, "cassette")) checked"
            return "Nothing to prune (\(checked))."
        }
        let interactions = unplayed.reduce(0) { $0 + $1.part.requests.count }
        let parts = [
            unused.isEmpty ? nil : Counted.text(unused.count, "cassette"),
            unplayed.isEmpty ? nil : Counted.text(interactions, "interaction"),
        ]
        let all = parts.compactMap { $0 }.joined(separator: " and ")
        let size = ByteCount(unused.reduce(0) { $0 + $1.size } + unplayed.reduce(0) { $0 + $1.part.size })
        return isApplied
            ? "Removed \(all) (\(size))." : "Would remove \(all) (\(size)). To remove them, add --apply."
    }
}
