import Foundation

/// Finds what still looks like a credential in a text.
package struct CredentialScanner: Sendable {
    private let allowedFingerprints: Set<String>

    /// Creates a scanner that passes over values of some fingerprints.
    package init(allowing fingerprints: Set<String> = []) {
        allowedFingerprints = fingerprints
    }

    /// The credentials in the bytes of a text, in order and without overlaps.
    package func findings(in data: Data) -> [CredentialFinding] {
        data.withUnsafeBytes(findings)
    }

    /// The credentials in the bytes of a text, in order and without overlaps.
    func findings(in bytes: UnsafeRawBufferPointer) -> [CredentialFinding] {
        var findings = CredentialFindings()
        search(bytes) { range, pattern in
            findings.add(pattern, CredentialFinding.fingerprint(of: bytes[range]), range)
        }
        for run in Base64Text(bytes) {
            run.decoded.withUnsafeBytes { decoded in
                search(decoded) { range, pattern in
                    guard !pattern.isVague else { return }
                    findings.add(pattern, CredentialFinding.fingerprint(of: decoded[range]), run.range)
                }
            }
        }
        return findings.sorted.filter { !allowedFingerprints.contains($0.fingerprint) }
    }

    private func search(_ bytes: UnsafeRawBufferPointer, _ body: (Range<Int>, CredentialPattern) -> Void) {
        let (table, patterns) = (Self.table, Self.patterns)
        var position = 0
        while let place = table.candidate(in: bytes, from: position) {
            position = place + 1
            let found: (range: Range<Int>, index: Int)? = table.first(in: bytes, at: place) { index in
                patterns[index].match(bytes, place).map { ($0, index) }
            }
            guard let found else { continue }
            let pattern = patterns[found.index]
            body(found.range, pattern)
            // The value behind a name may be found again by a rule that knows what it is.
            position = max(position, pattern.isVague ? found.range.lowerBound : found.range.upperBound)
        }
    }

    private static let patterns = CredentialPatterns.all
    private static let table = LiteralTable(patterns.map(\.prefix))
}

/// Collects findings, of which the vague ones give way.
private struct CredentialFindings {
    private var all: [(finding: CredentialFinding, isVague: Bool)] = []

    mutating func add(_ pattern: CredentialPattern, _ fingerprint: String, _ range: Range<Int>) {
        let finding = CredentialFinding(rule: pattern.rule, fingerprint: fingerprint, range: range)
        all.append((finding, pattern.isVague))
    }

    /// The findings that do not overlap a clearer or an earlier one.
    var sorted: [CredentialFinding] {
        guard !all.isEmpty else { return [] }
        var result: [(finding: CredentialFinding, isVague: Bool)] = []
        for next in all.sorted(by: { $0.finding.range.lowerBound < $1.finding.range.lowerBound }) {
            if let last = result.last, last.finding.range.overlaps(next.finding.range) {
                guard last.isVague, !next.isVague else { continue }
                result.removeLast()
            }
            result.append(next)
        }
        return result.map(\.finding)
    }
}

/// A place in a text that looks like a credential, without showing it.
package struct CredentialFinding: Hashable, Sendable {
    /// The name of the rule that found it.
    package let rule: String
    /// The first twelve digits of the SHA-256 of the value, by which it can be allowed.
    package let fingerprint: String
    /// The offsets of its bytes.
    package let range: Range<Int>

    /// The fingerprint of a value.
    package static func fingerprint(of value: some Collection<UInt8>) -> String {
        String(SHA256Digest(value).hexadecimal.prefix(12))
    }
}
