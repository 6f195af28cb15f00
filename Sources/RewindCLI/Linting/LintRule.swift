import Foundation

enum LintRule: String, CaseIterable, Sendable {
    case unreadable
    case secret
    case missingBody = "missing-body"
    case caseCollision = "case-collision"
    case invalidURL = "invalid-url"
    case oversizedBody = "oversized-body"
    case unusedBody = "unused-body"
    case failedRecording = "failed-recording"
    case old
    case empty
    case noAnswer = "no-answer"
    case duplicate
    case failure
    case foreign

    enum Severity: String, CaseIterable, Sendable { case error, warning, note }

    var severity: Severity {
        switch self {
        case .unreadable, .secret, .missingBody, .caseCollision: .error
        case .invalidURL, .oversizedBody, .unusedBody, .failedRecording, .old, .empty: .warning
        case .noAnswer, .duplicate, .failure, .foreign: .note
        }
    }

    var summary: String {
        switch self {
        case .unreadable: "A cassette cannot be read"
        case .secret: "Something looks like a credential"
        case .missingBody: "The file of a body is not there"
        case .caseCollision: "The names of two files differ only in their letter case"
        case .invalidURL: "No request can match an interaction"
        case .oversizedBody: "A body is very large"
        case .unusedBody: "No cassette names the file of a body"
        case .failedRecording: "The recording of a failed test was left behind"
        case .old: "A cassette is too old"
        case .empty: "A cassette has no interactions"
        case .noAnswer: "An interaction has nothing to answer with"
        case .duplicate: "An interaction was recorded twice"
        case .failure: "A request was recorded that failed"
        case .foreign: "A file is in another system's format, or in none that is known"
        }
    }

    var remedy: String {
        switch self {
        case .unreadable: "Restore it from version control, or delete it and record it anew."
        case .secret:
            "Take it out with `rewind redact`, and revoke it if others may have seen it. What is no secret is let pass"
                + " with `--allow FINGERPRINT` or `--keep NAME`."
        case .missingBody: "Restore the file from version control, or record the cassette anew."
        case .caseCollision: "Rename one of them, for on many disks they are one file."
        case .invalidURL: "Record it anew, or delete the interaction."
        case .oversizedBody: "Ask for less in the test, or allow more with `--max-body`."
        case .unusedBody: "Delete it."
        case .failedRecording: "Look why the test failed, then delete the recording with its folder of bodies."
        case .old: "Record it anew with REWIND_MODE=all, or compare it with the server with `rewind verify`."
        case .empty: "Delete it, or record it anew."
        case .noAnswer: "Record it anew, or delete the interaction."
        case .duplicate: "Delete all but one where the cassette may repeat its answers; else all is well."
        case .failure: "All is well where the test is about failures; else record it anew."
        case .foreign: "Convert it with `rewind convert`, or keep what is no cassette elsewhere."
        }
    }

    static var table: String {
        var table = TextTable([.left, .left, .left])
        for rule in allCases { table.add(["  " + rule.rawValue, rule.severity.rawValue, rule.summary]) }
        return table.lines().joined(separator: "\n")
    }
}

struct LintFinding: Hashable, Sendable {
    let rule: LintRule
    let file: URL?
    /// The line, counted from one; `nil` where it is about the whole file.
    var line: Int?
    /// The column, counted from one in Unicode scalars; `nil` where it is about a whole line.
    var column: Int?
    /// What is wrong, without the value of any secret.
    let message: String

    var path: String { file?.displayPath ?? "standard input" }

    static func areInOrder(_ left: LintFinding, _ right: LintFinding) -> Bool {
        (left.path, left.line ?? 0, left.column ?? 0) < (right.path, right.line ?? 0, right.column ?? 0)
    }
}
