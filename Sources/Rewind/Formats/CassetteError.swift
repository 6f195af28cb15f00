import Foundation

/// A cassette that cannot be read, written or used.
///
/// ```
/// The cassette Cassettes/UserTests/login.har:12:5 is invalid: expected a value.
///   The file was not changed. Correct this place, or delete the file and record again.
/// ```
public struct CassetteError: Error, Hashable, Sendable {
    /// The path of the cassette's file.
    public var path: String
    /// What is wrong, and where in the file.
    public var problem: Problem
    /// The journal that still contains the recording, if the cassette could not be saved.
    package var journal: KeptJournal?
    /// The encrypted file that contains the recording, if the save was refused.
    package var refusedPath: String?
    /// Whether the error ends a recording that no journal contains.
    package var isRecordingLost = false

    package init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }
}

extension CassetteError {
    /// What is wrong with a cassette.
    public enum Problem: Error, Hashable, Sendable {
        /// The file is empty.
        case empty
        /// The content matches no readable format (``CassetteFormat``).
        case unknownFormat
        /// The text is not valid JSON, YAML or XML.
        case syntax(line: Int, column: Int, cause: String)
        /// The text is valid, but one part is not what the format requires.
        case structure(place: String, cause: String)
        /// The file is larger than the limits of the reader.
        case tooLarge(String)
        /// The file cannot be read.
        case unreadable(String)
        /// The file cannot be written.
        case unwritable(String)
        /// Values that look like credentials stopped the save.
        case unredactedCredentials([Finding])
        /// Another test records the cassette, or plays it while this test would record it.
        case inUse(by: String, test: String, isRecording: Bool)
        /// The name of another cassette differs only in letter case.
        case differsOnlyInCase(from: String)
    }

    /// A value that looks like a credential. The value itself is not part of it.
    public struct Finding: Hashable, Sendable {
        /// The number of the interaction, counted from 1.
        package var number: Int
        /// The method and the URL of the interaction.
        package var request: String
        /// The place in the interaction, such as `response header Set-Cookie at byte 14`.
        public var place: String
        /// The kind of credential, such as `json-web-token`.
        package var kind: String
        /// The first 12 hexadecimal digits of the value's SHA-256, for ``Redaction/allow(_:)``.
        public var fingerprint: String
        /// The rule to add if the value is secret; `nil` if none can be written.
        package var rule: SuggestedRule?
    }
}

extension CassetteError: LocalizedError, CustomStringConvertible {
    /// The file, the place in it, the cause and the fix.
    public var description: String { message }

    /// The file, the place in it and the cause.
    public var errorDescription: String? {
        switch problem {
        case .empty: "The cassette \(path) is empty."
        case .unknownFormat:
            "The cassette \(path) is not in a format that Rewind reads"
                + " (\(CassetteFormat.allCases.map(\.name).joined(separator: ", ")))."
        case .syntax(let line, let column, let cause):
            "The cassette \(path):\(line):\(column) is invalid: \(cause)."
        case .structure(let place, let cause): "The cassette \(path) is invalid at \(place): \(cause)."
        case .tooLarge(let cause): "The cassette \(path) is too large: \(cause)."
        case .unreadable(let cause): "The cassette \(path) cannot be read: \(cause.withoutFullStop)."
        case .unwritable(let cause): "The cassette \(path) cannot be written: \(cause.withoutFullStop)."
        case .unredactedCredentials(let findings):
            "The cassette \(path) was not saved because it contains values that look like credentials:\n"
                + findings.text(Self.advice)
        case .inUse(let other, let test, isRecording: true):
            "\(test) cannot use the cassette \(path) while \(other) records it."
        case .inUse(let other, let test, isRecording: false):
            "\(test) cannot record the cassette \(path) while \(other) plays it."
        case .differsOnlyInCase(let other):
            "The cassettes \(path) and \(other) differ only in letter case. Many file systems treat them as one file."
        }
    }

    /// How to fix it, and which journal contains the recording.
    public var recoverySuggestion: String? {
        switch problem {
        case .syntax(_, _, UnreadableFile.mergeConflict.cause): problem.remedy + journalSentence
        case .empty, .unknownFormat, .syntax, .structure, .tooLarge:
            "The file was not changed. \(problem.remedy)" + journalSentence
        case .unreadable: problem.remedy
        case .unwritable:
            (journal.map { "\($0.summary). " } ?? (isRecordingLost ? "The recording is lost. " : ""))
                + "The file was not changed. \(problem.remedy)"
        case .unredactedCredentials:
            """
            Add one of these rules for each value, to the configuration or to a file \(RulesFileName.text) beside the cassettes.
              \(whereRefused)
            """
        case .inUse, .differsOnlyInCase: problem.remedy
        }
    }

    /// A line that says where the recording is, if it could not be added to an invalid cassette.
    private var journalSentence: String { journal.map { "\n  \($0.summary)." } ?? "" }

    /// Where the recording is after the save was refused.
    private var whereRefused: String {
        if let refusedPath {
            return
                "The recording is in \(refusedPath), encrypted with a key outside of the project. The next run of the test"
                + " saves it."
        }
        return journal.map { "\($0.summary), with these values withheld." } ?? "Then record again."
    }

    private static func advice(on finding: Finding) -> [String] {
        func line(_ code: String, _ text: String) -> String {
            "configuration.redaction.\(code), or in \(RulesFileName.text): \(text)"
        }
        let secret = finding.rule.map { line("add(\($0.code))", "redact \($0.text)") }
        return [
            "if it is secret:     "
                + (secret ?? "configuration.redaction.add(.values(name: \"secret\") { … })"),
            "if it is not secret: " + line("allow(\"\(finding.fingerprint)\")", "allow \(finding.fingerprint)"),
        ]
    }
}

extension [CassetteError.Finding] {
    /// One finding for each value, with the rule of a name if one of its places has a name.
    package var distinctValues: [(finding: Element, placeCount: Int)] {
        var positions: [String: Int] = [:]
        var values: [(finding: Element, placeCount: Int)] = []
        for finding in self {
            guard let position = positions[finding.fingerprint] else {
                positions[finding.fingerprint] = values.count
                values.append((finding, 1))
                continue
            }
            values[position].placeCount += 1
            if values[position].finding.rule?.name == nil, finding.rule?.name != nil {
                values[position].finding = finding
            }
        }
        return values
    }

    /// The first values, each with a place and advice on it.
    package func text(_ advice: (Element) -> [String]) -> String {
        let values = distinctValues
        let shown = values.prefix(8).map { finding, placeCount in
            let others =
                placeCount == 1
                ? "" : placeCount == 2 ? " (and 1 more place)" : " (and \(placeCount - 1) more places)"
            let lines = [
                "  #\(finding.number) \(finding.request)\(others)",
                "    \(finding.place): looks like \(finding.kind), fingerprint \(finding.fingerprint)",
            ]
            return (lines + advice(finding).map { "      " + $0 }).joined(separator: "\n")
        }
        let rest = values.count > shown.count ? ["  and \(values.count - shown.count) more values"] : []
        return (shown + rest).joined(separator: "\n")
    }
}

extension CassetteError.Problem: CustomStringConvertible {
    /// The cause and the place in the file, without the file's name.
    public var description: String {
        switch self {
        case .syntax(let line, let column, let cause): "\(cause) (line \(line), column \(column))"
        case .structure(let place, let cause): "\(cause) (\(place))"
        case .tooLarge(let cause), .unreadable(let cause), .unwritable(let cause): cause
        case .empty, .unknownFormat, .unredactedCredentials, .inUse, .differsOnlyInCase:
            CassetteError(path: "", problem: self).errorDescription ?? ""
        }
    }

    init(_ error: JSONError) {
        self = .syntax(line: error.line, column: error.column, cause: "\(error.problem)")
    }
}

extension CassetteError {
    /// A journal that remains because its recording could not be saved. The next run recovers it.
    package struct KeptJournal: Hashable, Sendable {
        /// The path of the journal.
        package var path: String
        /// The number of interactions in the journal.
        package var count: Int
        /// The number of recorded interactions that could not be added to the journal.
        package var missingCount: Int
    }
}

extension CassetteError.KeptJournal {
    /// A clause that says where the recording is, without a full stop.
    var summary: String {
        let kept =
            missingCount == 0
            ? "The recording" : "A part of the recording (\(count) of \(count + missingCount) interactions)"
        return "\(kept) is in \(path), and the next run recovers it"
    }
}
