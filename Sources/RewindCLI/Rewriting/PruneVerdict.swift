import Foundation
import Rewind

/// Whether a cassette, or a part of it, can be removed.
enum PruneVerdict {
    case unused(count: Int, size: Int)
    /// Tests used the cassette, but did not play some of its interactions.
    case unplayed(UnplayedPart)
    /// Something looks unused, but the manifest does not prove it.
    case skipped(Part, reason: String)
    case used

    enum Part: String { case cassettes, interactions }

    init(of url: URL, by evidence: PruneEvidence) throws {
        let source = try CassetteSource(.file(url))
        let uses = evidence.uses(of: url)
        self = uses.isEmpty ? .unused(source, url, by: evidence) : try .used(source, url, uses, by: evidence)
    }

    private static func unused(_ source: CassetteSource, _ url: URL, by evidence: PruneEvidence) -> Self {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        let changed = attributes?[.modificationDate] as? Date
        guard source.format == .har else {
            let name = source.format.name
            return .skipped(.cassettes, reason: "unused, but a stub may read \(name) files")
        }
        guard let start = evidence.start else {
            return .skipped(.cassettes, reason: "unused, but the clock was set back after the run")
        }
        guard let changed, changed < start else {
            return .skipped(.cassettes, reason: "unused, but the file changed after the run began")
        }
        if let test = evidence.failedTest {
            let reason = "unused, but \(test) failed, perhaps before it used the cassette"
            return .skipped(.cassettes, reason: reason)
        }
        if let test = evidence.missingTest(of: url) {
            return .skipped(.cassettes, reason: "unused, but \(test)")
        }
        return .unused(count: source.cassette.interactions.count, size: CassetteRewrite.size(of: url))
    }

    private static func used(
        _ source: CassetteSource,
        _ url: URL,
        _ uses: [PruneEvidence.Use],
        by evidence: PruneEvidence
    ) throws -> Self {
        let plays = uses.compactMap(\.play)
        let unplayed = UnplayedPart.positions(of: source.cassette, after: plays)
        guard !unplayed.isEmpty else { return .used }
        let reason =
            uses.lazy.compactMap { $0.use.reasonToSkip($0.play) }.first
            ?? (source.format == .har ? nil : "Rewind does not rewrite \(source.format.name) files")
            ?? (plays.contains { $0.checksum == source.checksum } ? nil : "the file changed after the run")
            ?? evidence.missingTest(of: url)
        if let reason {
            let count = Counted.text(unplayed.count, "unplayed interaction")
            return .skipped(.interactions, reason: "\(count), but \(reason)")
        }
        let redaction = try Redaction.default.withRules(for: url.deletingLastPathComponent())
        return .unplayed(UnplayedPart(of: source, url, at: unplayed, redaction))
    }
}

extension ManifestUse {
    var name: String { test ?? "a test" }

    /// Why this use does not prove that an interaction is unused; `nil` if it does.
    fileprivate func reasonToSkip(_ play: ManifestPlay?) -> String? {
        guard let play else { return "\(name) did not finish" }
        if play.failed { return "\(name) failed" }
        if play.skipped { return "\(name) was skipped" }
        return play.plays ? nil : "\(name) ran in mode \(play.mode), which does not replay"
    }
}

/// What the manifests of a test run say about the cassettes of a folder.
struct PruneEvidence {
    typealias Use = (use: ManifestUse, play: ManifestPlay?)

    /// When the first process of the run began; `nil` if that is in the future because the clock was set back.
    let start: Date?
    let failedTest: String?

    private let uses: [String: [Use]]
    /// The names of the tests that ran to their end.
    private let ran: Set<String>
    private let declared: DeclaredTests?

    init(_ manifest: Manifest, in folder: URL, manifest file: URL) throws {
        let folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        let root = ProjectRoot.above(folder.path)
        var uses: [String: [Use]] = [:]
        for use in manifest.uses {
            if let path = Self.path(of: use.use, root) { uses[path, default: []].append(use) }
        }
        guard uses.keys.contains(where: { URL(fileURLWithPath: $0).path(below: folder) != nil }) else {
            throw ManifestError(path: file.path, problem: .elsewhere(folder.path))
        }
        self.uses = uses
        start = manifest.start <= WallClock.current.now() ? manifest.start : nil
        failedTest = manifest.uses.first { $0.play?.failed ?? true }.map { $0.use.name }
        let complete = manifest.uses.filter { $0.play.map { !$0.failed && !$0.skipped } ?? false }
        ran = Set(complete.compactMap(\.use.test))
        declared = root.map { DeclaredTests(below: $0) }
    }

    /// A test in the sources that could use a cassette and used none in the run, as a clause; `nil` if there is none.
    func missingTest(of url: URL) -> String? {
        // A function such as `withCassette` does not know the name of the test that calls it.
        let isUsedByUnknownTests = uses(of: url).contains { $0.use.test == nil }
        switch declared?.missing(for: url.path, ran: ran, besidesLiterals: isUsedByUnknownTests) {
        case .test(let test):
            return "\(test.name) (\(Self.place(test.file, test.line))) did not run, or used no cassette"
        case .place(let file, let line): return "\(Self.place(file, line)) names it and did not run"
        case nil: return nil
        }
    }

    private static func place(_ file: String, _ line: Int) -> String {
        "\(URL(fileURLWithPath: file).displayPath):\(line)"
    }

    func uses(of url: URL) -> [Use] { uses[url.standardizedFileURL.resolvingSymlinksInPath().path] ?? [] }

    /// The path of a cassette on this machine. A manifest may come from another one, with the package in another folder.
    private static func path(of use: ManifestUse, _ root: URL?) -> String? {
        let url = URL(fileURLWithPath: use.cassette).standardizedFileURL.resolvingSymlinksInPath()
        guard let root, let path = use.packagePath, url.path(below: root) == nil,
            !FileManager.default.fileExists(atPath: url.path)
        else { return url.path }
        return root.appendingPathComponent(path).standardizedFileURL.path
    }
}

/// The interactions of a cassette that no test played, and the cassette without them.
struct UnplayedPart {
    /// The redacted requests, numbered from 1.
    let requests: [(number: Int, request: Interaction.Request)]
    let rewrite: CassetteRewrite
    let size: Int

    init(of source: CassetteSource, _ url: URL, at positions: [Int], _ redaction: Redaction) {
        let redactor = Redactor(redaction)
        let interactions = source.cassette.interactions
        requests = positions.map { (number: $0 + 1, request: redactor.redact(interactions[$0].request)) }
        var rest = source.cassette
        let unplayed = Set(positions)
        rest.interactions = interactions.indices.filter { !unplayed.contains($0) }.map { interactions[$0] }
        rewrite = CassetteRewrite(rest, to: url, from: source.folder)
        size = max(0, CassetteRewrite.size(of: url) - rewrite.size)
    }

    /// The positions of the interactions that no use of the cassette played or recorded.
    ///
    /// If the cassette changed between two uses, a request found at another position keeps all identical ones.
    static func positions(of cassette: Cassette, after plays: [ManifestPlay]) -> [Int] {
        let fingerprints = cassette.interactions.map { RequestFingerprint($0.request) }
        var played: Set<Int> = []
        var kept: Set<RequestFingerprint> = []
        for play in plays {
            kept.formUnion(play.recorded)
            for position in play.played {
                let isThere =
                    fingerprints.indices.contains(position.position)
                    && fingerprints[position.position] == position.request
                if isThere { played.insert(position.position) } else { kept.insert(position.request) }
            }
        }
        return fingerprints.indices.filter { !played.contains($0) && !kept.contains(fingerprints[$0]) }
    }
}
