import Foundation

/// A kind of problem in cassettes; the raw value is its name in options and reports.
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
        case .secret: "A value is secret or looks like a credential"
        case .missingBody: "A body file is missing"
        case .caseCollision: "The names of two files differ only in case"
        case .invalidURL: "A recorded request is invalid and matches nothing"
        case .oversizedBody: "A body is too large"
        case .unusedBody: "No cassette uses a body file"
        case .failedRecording: "A failed, interrupted or refused recording was left"
        case .old: "A cassette is older than --max-age"
        case .empty: "A cassette has no interactions"
        case .noAnswer: "An interaction has no response to replay"
        case .duplicate: "An interaction was recorded twice"
        case .failure: "A recorded request failed"
        case .foreign: "A file is not a HAR archive"
        }
    }

    var recoverySuggestion: String {
        switch self {
        case .unreadable: "Fix the file as the message says."
        case .secret:
            "Redact it with `rewind redact`, and revoke it if others may have seen it. If it is not secret, add"
                + " `--allow FINGERPRINT` or `--keep NAME`."
        case .missingBody: "Restore the file from version control, or re-record the cassette."
        case .caseCollision: "Rename one of them. Many file systems treat them as one file."
        case .invalidURL: "Re-record or delete the interaction."
        case .oversizedBody: "Request less data in the test, or raise the limit with `--max-body`."
        case .unusedBody: "Delete the file."
        case .failedRecording:
            "Find out why the test failed, then delete the recording and its folder of bodies."
        case .old: "Re-record it with REWIND_MODE=all, or compare it with the live API: `rewind verify`."
        case .empty: "Delete or re-record the cassette."
        case .noAnswer: "Re-record or delete the interaction."
        case .duplicate:
            "If the tests play interactions repeatedly (`configuration.repeats`), delete all but one. Otherwise ignore it."
        case .failure: "If the test does not expect the failure, re-record the cassette. Otherwise ignore it."
        case .foreign: "Convert it with `rewind convert`. If it is not a cassette, move it to another folder."
        }
    }

    static var table: String {
        var table = TextTable([.left, .left, .left])
        for rule in allCases { table.add(["  " + rule.rawValue, rule.severity.rawValue, rule.summary]) }
        return table.lines().joined(separator: "\n")
    }
}

/// A problem in a file.
struct LintFinding: Hashable, Sendable {
    let rule: LintRule
    let file: URL?
    /// The line, counted from 1; `nil` if the finding is about the whole file.
    var line: Int?
    /// The column in Unicode scalars, counted from 1; `nil` if the finding is about a whole line.
    var column: Int?
    /// The problem, without the value of any secret.
    let message: String

    var path: String { file?.displayPath ?? "standard input" }

    static func areInOrder(_ left: LintFinding, _ right: LintFinding) -> Bool {
        guard left.path == right.path else { return NaturalOrder.areInOrder(left.path, right.path) }
        return (left.line ?? 0, left.column ?? 0) < (right.line ?? 0, right.column ?? 0)
    }
}
