import Foundation
import Rewind

/// The rules that look at one cassette.
struct CassetteLint {
    /// What is wrong.
    private(set) var findings: [LintFinding] = []
    /// The files of bodies that the cassette names, by their whole paths.
    private(set) var bodyFiles: Set<String> = []
    /// Whether it could be read.
    private(set) var isReadable = true

    private let input: CassetteInput
    private let settings: LintSettings

    /// Looks at a cassette.
    init(_ input: CassetteInput, _ settings: LintSettings) {
        self.input = input
        self.settings = settings
        do {
            try look()
        } catch let error as CassetteError {
            isReadable = false
            add(error.problem)
        } catch {
            isReadable = false
            add(.unreadable, "\(error)")
        }
    }

    /// The file; `nil` for standard input.
    var file: URL? { input.file }

    private mutating func look() throws {
        let (cassette, data, folder) = try input.open()
        let format = cassette.format.name
        let reel = cassette.reel
        if format != HARFormat.name { add(.foreign, "it is in the format \(format)") }
        if reel.count == 0 { add(.empty, "it has no interactions") }
        let redactor = Redactor(settings.redaction)
        let rules = InteractionLint(settings, in: folder, format: format)
        var lines = LineCount(data)
        var duplicates = DuplicateSearch()
        var oldest: Date?
        var known: Set<String> = settings.allowedFingerprints
        for position in reel.indices {
            let interaction = reel[position]
            let line = interaction.original.map { lines.line(of: $0.text.startIndex) }
            let linted = LintedInteraction(interaction, number: position + 1, line: line, redactor)
            let (problems, fingerprints) = rules.problems(of: linted)
            for problem in problems { add(problem.rule, problem.message, line: line) }
            known.formUnion(fingerprints)
            for path in linted.bodyPaths.all { bodyFiles.insert(folder.appendingPathComponent(path).wholePath) }
            duplicates.add(linted, of: reel)
            // A date before the web is one that a file did not have.
            if interaction.startedAt.timeIntervalSince1970 > 0 {
                oldest = min(oldest ?? .distantFuture, interaction.startedAt)
            }
        }
        if format == HARFormat.name { addSecrets(in: data, besides: known) }
        for group in duplicates.duplicates { add(.duplicate, group.message, line: group.line) }
        add(ageOf: oldest)
    }

    /// Looks for credentials where a file has what is never played, such as lists of cookies and comments.
    private mutating func addSecrets(in data: Data, besides known: Set<String>) {
        var lines = LineCount(data)
        for finding in CredentialScanner(allowing: known).findings(in: data) {
            add(
                .secret,
                "what is not played looks like \(finding.rule), fingerprint \(finding.fingerprint)",
                line: lines.line(of: data.startIndex + finding.range.lowerBound)
            )
        }
    }

    private mutating func add(ageOf oldest: Date?) {
        guard let limit = settings.maximumAge, let oldest else { return }
        let age = settings.now.timeIntervalSince(oldest)
        guard age > limit else { return }
        let days = [age, limit].map { Int(clamping: Int64(min($0 / 86_400, 1e9))) }
        add(.old, "its oldest interaction was recorded \(days[0]) days ago, and \(days[1]) are allowed")
    }

    /// Whether nothing but its content can say that a file is an archive, as JSON may be anything.
    private var isNoArchiveByName: Bool { file.map { $0.pathExtension.lowercased() != "har" } ?? false }

    private mutating func add(_ problem: CassetteProblem) {
        switch problem {
        case .unknownFormat where isNoArchiveByName, .structure(place: "`log`", _) where isNoArchiveByName:
            add(.foreign, "it is in no format that Rewind reads")
        case .syntax(let line, let column, let cause):
            findings.append(
                LintFinding(rule: .unreadable, file: file, line: line, column: column, message: cause)
            )
        case .structure(let place, let cause):
            add(.unreadable, "\(place): \(cause)", line: Self.line(in: place))
        default: add(.unreadable, problem.description)
        }
    }

    private mutating func add(_ rule: LintRule, _ message: String, line: Int? = nil) {
        findings.append(LintFinding(rule: rule, file: file, line: line, message: message))
    }

    /// The line that the words for a place name.
    private static func line(in place: String) -> Int? {
        guard let word = place.range(of: "line ") else { return nil }
        return Int(place[word.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
}

extension URL {
    /// The path without links and detours, by which a file is known.
    var wholePath: String { standardizedFileURL.resolvingSymlinksInPath().path }
}
