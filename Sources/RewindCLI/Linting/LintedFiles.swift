import Foundation
import Rewind

/// The files to look at, and the rules about what stands beside one another.
struct LintedFiles {
    /// The cassettes to look at.
    private(set) var cassettes: [CassetteInput] = []
    /// The recordings of tests that failed.
    private(set) var failedRecordings: [URL] = []
    private var bodyFolders: [URL] = []

    /// Looks for what there is.
    /// - Parameter words: Files, folders, and `-` for standard input.
    /// - Throws: ``CassetteError`` where a folder cannot be read.
    init(_ words: [String]) throws {
        for word in words {
            let input = CassetteInput(word)
            guard case .file(let url) = input else {
                cassettes.append(input)
                continue
            }
            if CassetteFolder.isFolder(url) {
                let folder = try CassetteFolder(url)
                cassettes += folder.files.map(CassetteInput.file)
                failedRecordings += folder.failedRecordings + folder.recoveredRecordings
                bodyFolders += folder.bodyFolders
            } else {
                cassettes.append(input)
                let bodies = CassetteFolder.bodies(of: url)
                if CassetteFolder.isFolder(bodies) { bodyFolders.append(bodies) }
            }
        }
    }

    /// What is wrong with the files, one by one and as a whole.
    /// - Parameters:
    ///   - cassettes: What was found of each cassette.
    ///   - failures: What was found of each recording of a failed test, of which only the secrets count.
    /// - Returns: The findings.
    func findings(of cassettes: [CassetteLint], and failures: [CassetteLint]) -> [LintFinding] {
        let lints = cassettes + failures
        let named = lints.reduce(into: Set<String>()) { $0.formUnion($1.bodyFiles) }
        // Playwright puts bodies beside the cassette, where they look like cassettes themselves.
        let own = cassettes.flatMap(\.findings).filter { $0.file.map { !named.contains($0.wholePath) } ?? true }
        let left =
            failures.flatMap(\.findings).filter { $0.rule == .secret }
            + failedRecordings.map {
                LintFinding(
                    rule: .failedRecording,
                    file: $0,
                    message: CassetteFolder.isOfFailedTest($0)
                        ? "it was left behind by a test that failed"
                        : "it was recovered of a run that ended too early"
                )
            }
        // What a cassette names that cannot be read is not known.
        let unknown = Set(
            lints.filter { !$0.isReadable }.compactMap(\.file).map { CassetteFolder.bodies(of: $0).path }
        )
        let unused = bodyFolders.filter { !unknown.contains($0.path) }.flatMap(Self.files).filter {
            !named.contains($0.wholePath)
        }.map { LintFinding(rule: .unusedBody, file: $0, message: "no cassette names this file") }
        return own + left + unused + collisions
    }

    /// Files whose names differ only in their letter case.
    private var collisions: [LintFinding] {
        let files = cassettes.compactMap(\.file)
        let all = files + failedRecordings + bodyFolders + bodyFolders.flatMap(Self.files)
        let groups = Dictionary(grouping: all.sorted { $0.path < $1.path }) { $0.path.lowercased() }
        return groups.values.flatMap { group in
            group.dropFirst().filter { $0.path != group[0].path }.map { url in
                LintFinding(
                    rule: .caseCollision,
                    file: url,
                    message: "its name is that of \(group[0].displayPath) but for the letter case"
                )
            }
        }
    }

    private static func files(in folder: URL) -> [URL] {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        return (files ?? []).filter { !CassetteFolder.isFolder($0) }.sorted { $0.path < $1.path }
    }
}
