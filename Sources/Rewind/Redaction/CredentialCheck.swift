import Foundation

package struct CredentialCheck: Sendable {
    let scanner: CredentialScanner
    /// The normalized names whose values are not secret.
    private let keptNames: Set<String>
    /// The redaction that is in effect, to which a suggested rule is added.
    private let redaction: Redaction

    package init(
        allowing fingerprints: Set<String> = [],
        excluding names: Set<String> = [],
        in redaction: Redaction = .default
    ) {
        scanner = CredentialScanner(allowing: fingerprints)
        keptNames = names
        self.redaction = redaction
    }

    /// Searches the interactions on all processors. The findings are in the order of the interactions.
    package func findings(in interactions: [Interaction]) -> [CassetteError.Finding] {
        interactions.mapParts { part in part.indices.flatMap { findings(in: part[$0], number: $0 + 1) } }
            .flatMap(\.self)
    }

    func findings(in interaction: Interaction, number: Int) -> [CassetteError.Finding] {
        let collector = Collector(scanner)
        _ = collector.edited(interaction)
        guard !collector.findings.isEmpty else { return [] }
        let request = "\(interaction.request.method) \(safe(interaction.request.readableURL))"
        var tried: [Attempt: Bool] = [:]
        // Each attempt redacts the interaction.
        let size = (interaction.request.body?.count ?? 0) + (interaction.recordedResponse?.body.count ?? 0)
        let mostAttempts = min(32, 2_000_000 / max(1, size))
        return collector.findings.filter { !isKept($0) }.map { found in
            let rules = [found.rule, found.general].compactMap { $0 }
            let fitting = rules.first { rule in
                let attempt = Attempt(rule: rule, fingerprint: found.finding.fingerprint)
                if tried[attempt] == nil, tried.count >= mostAttempts { return true }
                let isEnough = tried[attempt] ?? self.removes(rule, attempt.fingerprint, from: interaction)
                tried[attempt] = isEnough
                return isEnough
            }
            return CassetteError.Finding(
                number: number,
                request: request,
                place: "\(found.place) at byte \(found.finding.range.lowerBound)",
                kind: found.finding.rule,
                fingerprint: found.finding.fingerprint,
                rule: fitting
            )
        }
    }

    /// Whether an interaction has a finding.
    private func contains(_ interaction: Interaction) -> Bool {
        let collector = Collector(scanner)
        _ = collector.edited(interaction)
        return collector.findings.contains { !isKept($0) }
    }

    private struct Attempt: Hashable {
        let rule: SuggestedRule
        let fingerprint: String
    }

    /// Whether a rule removes a value from an interaction.
    private func removes(_ rule: SuggestedRule, _ fingerprint: String, from interaction: Interaction) -> Bool {
        guard let text = try? RuleText(redacting: rule.text) else { return false }
        var redaction = redaction
        redaction.add(text)
        let redacted = Redactor(redaction).redact([interaction])
        let rest = Collector(scanner)
        for interaction in redacted { _ = rest.edited(interaction) }
        return !rest.findings.contains { $0.finding.fingerprint == fingerprint }
    }

    /// Whether only the name makes a value look like a credential, and the name is not secret.
    private func isKept(_ found: Collector.Found) -> Bool {
        guard found.finding.rule == Self.namedKind, !keptNames.isEmpty, let name = found.rule?.name
        else { return false }
        return keptNames.contains(SecretNames.normalized(name))
    }

    /// The kind of a value that looks like a credential because of its name.
    package static let namedKind = "named-secret"

    private final class Collector: MessageEditor {
        private let scanner: CredentialScanner
        /// A finding, the rule for its place, and the rule for its form.
        typealias Found = (
            place: String, finding: CredentialFinding, rule: SuggestedRule?, general: SuggestedRule?
        )
        private(set) var findings: [Found] = []
        private var line: [UInt8] = []

        init(_ scanner: CredentialScanner) { self.scanner = scanner }

        func edited(_ text: String, at part: MessagePart) -> String? {
            switch part {
            case .url(let message):
                text.withBytes { add(UnsafeRawBufferPointer($0), "\(message.rawValue) URL") { $0.inURL($1) } }
            case .failure:
                text.withBytes { add(UnsafeRawBufferPointer($0), "failure message") { $0.pattern(for: $1) } }
            case .statusText: break
            case .header(let name, let message):
                // Some values look like a credential only after their name.
                line.removeAll(keepingCapacity: true)
                line.append(contentsOf: name.utf8)
                line.append(contentsOf: ": ".utf8)
                line.append(contentsOf: text.utf8)
                line.withUnsafeBytes { add($0, "\(message.rawValue) header \(name)") { $0.inHeader(name, $1) } }
            }
            return nil
        }

        func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
            let place = part.map { "\(message.rawValue) body part \($0)" } ?? "\(message.rawValue) body"
            text.withUnsafeBytes { bytes in
                let found = scanner.findings(in: bytes)
                guard !found.isEmpty else { return }
                let suggestions = RuleSuggestions(in: bytes)
                let rules = suggestions.inBody(found.map(\.range), mediaType: mediaType)
                for (finding, rule) in zip(found, rules) {
                    findings.append((place, finding, rule, suggestions.pattern(for: finding.range)))
                }
            }
            return nil
        }

        private func add(
            _ bytes: UnsafeRawBufferPointer,
            _ place: @autoclosure () -> String,
            _ rule: (RuleSuggestions, Range<Int>) -> SuggestedRule?
        ) {
            for finding in scanner.findings(in: bytes) {
                let suggestions = RuleSuggestions(in: bytes)
                let general = suggestions.pattern(for: finding.range)
                findings.append((place(), finding, rule(suggestions, finding.range), general))
            }
        }
    }

    /// The URL, without parts that contain findings.
    private func safe(_ url: String) -> String {
        let shortened = url.prefix { $0 != "?" && $0 != "#" }
        return [url, String(shortened)].first { scanner.findings(in: Data($0.utf8)).isEmpty } ?? "(its URL)"
    }
}

extension Redaction {
    /// The check before a save; `nil` if it is off.
    package var credentialCheck: CredentialCheck? {
        scansForCredentials
            ? CredentialCheck(allowing: allowedFingerprints, excluding: keptNames, in: self) : nil
    }
}

extension CredentialCheck {
    /// Replaces anything that looks like a credential with `REDACTEDwithheld`.
    ///
    /// This is for files that are written before the recording is complete, when no error can be reported yet.
    package func withholding(in interaction: Interaction) -> Interaction {
        // Searching is faster than editing, and most interactions have no findings.
        guard contains(interaction) else { return interaction }
        var withheld = Withholding(scanner: scanner).edited(interaction)
        withheld.note(Self.withheldNote)
        return withheld
    }

    package static let withheldNote = "withheld, as it looked like a credential"
    private static let withheld = PrintedText.mark

    private struct Withholding: MessageEditor {
        let scanner: CredentialScanner

        func edited(_ text: String, at part: MessagePart) -> String? {
            switch part {
            case .url, .failure:
                return withholding(in: Data(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
            case .statusText: return nil
            case .header(let name, _):
                let line = Data("\(name): \(text)".utf8)
                return scanner.findings(in: line).isEmpty ? nil : CredentialCheck.withheld
            }
        }

        func edited(_ text: Data, mediaType: String?, of message: MessageKind, part: String?) -> Data? {
            withholding(in: text)
        }

        /// Repeats as long as an edit reveals another finding. After four rounds, it withholds everything.
        private func withholding(in data: Data) -> Data? {
            let mark = CredentialCheck.withheld
            var result: Data?
            for _ in 0..<4 {
                let edits = scanner.findings(in: result ?? data).map { ByteEdit($0.range, mark) }
                if edits.isEmpty { return result }
                result = Data((result ?? data).withUnsafeBytes { $0.applying(edits) })
            }
            return scanner.findings(in: result ?? data).isEmpty ? result : Data(mark.utf8)
        }
    }
}
