import Foundation
import Rewind

/// The options that decide about values that look like credentials.
struct CredentialAdvice {
    private let findings: [CassetteError.Finding]

    init(_ findings: [CassetteError.Finding]) { self.findings = findings }

    /// Each finding with its place and its options.
    var text: String {
        findings.text { finding in
            var lines = ["if it is not secret: " + Self.allow(finding)]
            if let secret = Self.redact(finding) { lines.insert("if it is secret:     " + secret, at: 0) }
            if finding.kind == CredentialCheck.namedKind, let name = finding.rule?.name {
                lines.append("if none of this name is: --keep " + ShellWord.quoted(name))
            }
            return lines
        }
    }

    /// The commands that save a refused recording, with the case of each.
    func commands(for path: String) -> [String] {
        let values = findings.distinctValues.map(\.finding)
        let secret = values.compactMap(Self.redact)
        let isOne = values.count == 1
        let choices = [
            (
                isOne ? "If the value is secret:" : "If all of them are secret:",
                secret.count == values.count ? secret : []
            ),
            (isOne ? "If it is not:" : "If none of them is:", values.map(Self.allow)),
        ]
        return choices.filter { !$1.isEmpty }.flatMap { title, options in
            var seen: Set<String> = []
            let distinct = options.filter { seen.insert($0).inserted }
            return [
                "  " + title, "    rewind redact \(ShellWord.quoted(path)) " + distinct.joined(separator: " "),
            ]
        }
    }

    /// The lines for a file of rules: a rule for each value, or the permission to write it if there is none.
    var rules: [String] {
        var seen: Set<String> = []
        return findings.distinctValues.map(\.finding).map { finding in
            finding.rule.map { "redact \($0.text)" } ?? "allow \(finding.fingerprint)"
        }.filter { seen.insert($0).inserted }
    }

    private static func redact(_ finding: CassetteError.Finding) -> String? {
        finding.rule.map { "--redact " + ShellWord.quoted($0.text) }
    }

    private static func allow(_ finding: CassetteError.Finding) -> String { "--allow \(finding.fingerprint)" }
}

extension CassetteError {
    /// The text for a refused save on a command line, where the fix is an option; `nil` for another problem.
    var refusal: String? {
        guard case .unredactedCredentials(let findings) = problem else { return nil }
        let advice = CredentialAdvice(findings)
        var lines = [
            "the cassette \(path) was not saved because it contains values that look like credentials:",
            advice.text,
        ]
        if let refusedPath {
            let kept = URL(fileURLWithPath: refusedPath).displayPath
            lines.append("  The recording is in \(kept), encrypted with a key outside of the project.")
            lines.append("  These commands save it, without the server.")
            lines += advice.commands(for: kept)
        } else {
            lines.append("  Add the options, and record again.")
        }
        lines.append(
            "  Tests and later commands need the same rules, in a file \(RulesFileName.text) beside the cassette. If the values"
                + " are secret:"
        )
        lines += advice.rules.map { "    " + $0 }
        return lines.joined(separator: "\n")
    }
}
