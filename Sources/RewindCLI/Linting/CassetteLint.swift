import Foundation
import Rewind

/// Finds problems in one cassette.
struct CassetteLint {
    private(set) var findings: [LintFinding] = []
    /// The resolved paths of the body files that the cassette uses.
    private(set) var bodyFiles: Set<String> = []
    private(set) var isReadable = true

    private let input: CassetteInput
    private let settings: LintSettings

    init(_ input: CassetteInput, _ settings: LintSettings) {
        self.input = input
        self.settings = settings
        do {
            try run()
        } catch let error as CassetteError {
            isReadable = false
            add(error.problem)
        } catch {
            isReadable = false
            add(.unreadable, "\(error)")
        }
    }

    var file: URL? { input.file }

    private mutating func run() throws {
        let (cassette, data, folder) = try input.open()
        let format = cassette.format.name
        let interactions = cassette.interactions
        if format != HARFormat.name { add(.foreign, "the format is \(format)") }
        if interactions.count == 0 { add(.empty, "the cassette has no interactions") }
        let redactor = Redactor(settings.redaction)
        let values = KnownValue.all(of: settings.redaction)
        let rules = InteractionLint(settings, in: folder, format: format)
        var lines = LineCount(data)
        var duplicates = DuplicateSearch()
        var oldest: Date?
        var known: Set<String> = settings.redaction.allowedFingerprints
        for position in interactions.indices {
            let interaction = interactions[position]
            let line = interaction.original.map { lines.line(of: $0.text.startIndex) }
            let linted = LintedInteraction(
                interaction,
                number: position + 1,
                line: line,
                redactor,
                values: values
            )
            let (problems, fingerprints) = rules.problems(of: linted)
            for problem in problems { add(problem.rule, problem.message, line: line) }
            known.formUnion(fingerprints)
            for path in linted.bodyPaths.all {
                bodyFiles.insert(folder.appendingPathComponent(path).resolvedPath)
            }
            duplicates.add(linted, of: interactions)
            // A missing date is read as one before 1970.
            if interaction.startedAt.timeIntervalSince1970 > 0 {
                oldest = min(oldest ?? .distantFuture, interaction.startedAt)
            }
        }
        if format == HARFormat.name { addSecrets(in: data, besides: known) }
        for group in duplicates.duplicates { add(.duplicate, group.message, line: group.line) }
        add(ageOf: oldest)
    }

    /// Finds credentials in parts of a file that are never replayed, such as lists of cookies and comments.
    private mutating func addSecrets(in data: Data, besides known: Set<String>) {
        var lines = LineCount(data)
        for finding in CredentialScanner(allowing: known).findings(in: data) {
            let line = lines.line(of: data.startIndex + finding.range.lowerBound)
            let cause =
                "a value that is never replayed looks like \(finding.rule), fingerprint \(finding.fingerprint)"
            add(.secret, cause, line: line)
        }
    }

    private mutating func add(ageOf oldest: Date?) {
        guard let limit = settings.maximumAge, let oldest else { return }
        let age = settings.now.timeIntervalSince(oldest)
        guard age > limit else { return }
        let days = [age, limit].map { Counted.text(Int(clamping: Int64(min($0 / 86_400, 1e9))), "day") }
        add(.old, "the oldest interaction was recorded \(days[0]) ago; the limit is \(days[1])")
    }

    /// Whether the name does not say that the file is an archive: a `.json` file may be anything.
    private var hasOtherExtension: Bool { file.map { $0.pathExtension.lowercased() != "har" } ?? false }

    private mutating func add(_ problem: CassetteError.Problem) {
        switch problem {
        case .unknownFormat where hasOtherExtension, .structure(place: "`log`", _) where hasOtherExtension:
            add(.foreign, "the file is not in a format that Rewind reads")
        case .syntax(let line, let column, let cause):
            add(.unreadable, "\(cause). \(problem.remedy)", line: line, column: column)
        case .structure(let place, let cause):
            add(.unreadable, "\(place): \(cause). \(problem.remedy)", line: Self.line(in: place))
        default: add(.unreadable, "\(problem.description.withoutFullStop). \(problem.remedy)")
        }
    }

    private mutating func add(_ rule: LintRule, _ message: String, line: Int? = nil, column: Int? = nil) {
        findings.append(LintFinding(rule: rule, file: file, line: line, column: column, message: message))
    }

    private static func line(in place: String) -> Int? {
        guard let word = place.range(of: "line ") else { return nil }
        return Int(place[word.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
}

extension URL {
    /// The path with symbolic links and `..` resolved, to compare files.
    var resolvedPath: String { standardizedFileURL.resolvingSymlinksInPath().path }
}

/// The files that a lint checks.
struct LintedFiles {
    private(set) var cassettes: [CassetteInput] = []
    private(set) var failedRecordings: [URL] = []
    private(set) var folders: [CassetteFolder] = []
    private var refusedRecordings: [URL] = []
    private var bodyFolders: [URL] = []

    init(_ operands: [String]) throws {
        for operand in operands {
            if let folder = try CassetteInput.folder(operand) {
                folders.append(folder)
                cassettes += folder.files.map(CassetteInput.file)
                failedRecordings += folder.failedRecordings + folder.recoveredRecordings
                refusedRecordings += folder.refusedRecordings
                bodyFolders += folder.bodyFolders
            } else {
                let input = CassetteInput(operand)
                cassettes.append(input)
                let bodies = input.file.map(CassetteFolder.bodies)
                bodyFolders += [bodies].compactMap { $0 }.filter(CassetteFolder.isFolder)
            }
        }
    }

    func findings(of cassettes: [CassetteLint], and failures: [CassetteLint]) -> [LintFinding] {
        let lints = cassettes + failures
        let named = lints.reduce(into: Set<String>()) { $0.formUnion($1.bodyFiles) }
        // Playwright writes body files beside the cassette, where they look like cassettes.
        let own = cassettes.flatMap(\.findings).filter {
            $0.file.map { !named.contains($0.resolvedPath) } ?? true
        }
        let secrets = failures.flatMap(\.findings).filter { $0.rule == .secret }
        let left = failedRecordings.map { url in
            let message =
                CassetteFolder.isOfFailedTest(url)
                ? "this recording is from a failed test"
                : "this recording was recovered from an interrupted run"
            return LintFinding(rule: .failedRecording, file: url, message: message)
        }
        let refused = refusedRecordings.map { url in
            let message =
                "this recording was not saved; `rewind redact` lists the values that look like credentials"
            return LintFinding(rule: .failedRecording, file: url, message: message)
        }
        // The body files of an unreadable cassette are unknown.
        let unreadable = lints.filter { !$0.isReadable }.compactMap(\.file)
        let unknown = Set(unreadable.map { CassetteFolder.bodies(of: $0).path })
        let unused = bodyFolders.filter { !unknown.contains($0.path) }.flatMap(Self.files)
            .filter { !named.contains($0.resolvedPath) }
            .map { LintFinding(rule: .unusedBody, file: $0, message: "no cassette uses this file") }
        return own + secrets + left + refused + unused + collisions
    }

    /// Files whose names differ only in case.
    private var collisions: [LintFinding] {
        let files = cassettes.compactMap(\.file)
        let all = files + failedRecordings + bodyFolders + bodyFolders.flatMap(Self.files)
        let groups = Dictionary(grouping: all.sorted(by: URL.areInOrder)) { $0.path.lowercased() }
        return groups.values.flatMap { group in
            group.dropFirst().filter { $0.path != group[0].path }.map { url in
                let message = "the name differs only in case from \(group[0].displayPath)"
                return LintFinding(rule: .caseCollision, file: url, message: message)
            }
        }
    }

    private static func files(in folder: URL) -> [URL] {
        DirectoryListing.names(in: folder).filter { !$0.hasPrefix(".") }
            .map { folder.appendingPathComponent($0) }
            .filter { !CassetteFolder.isFolder($0) }.sorted(by: URL.areInOrder)
    }
}

/// Counts lines up to positions in a file.
struct LineCount {
    private let data: Data
    private var position: Int
    private var line = 1

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    /// The line of an offset, counted from 1. Call it with increasing offsets.
    mutating func line(of offset: Int) -> Int {
        guard offset > position, offset <= data.endIndex else { return line }
        line += data[position..<offset].withUnsafeBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } }
        position = offset
        return line
    }
}
