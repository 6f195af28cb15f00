import Foundation

package struct CredentialScanner: Sendable {
    private let allowedFingerprints: Set<String>

    package init(allowing fingerprints: Set<String> = []) { allowedFingerprints = fingerprints }

    /// The findings in order, without overlaps.
    package func findings(in data: Data) -> [CredentialFinding] { data.withUnsafeBytes(findings) }

    func findings(in bytes: UnsafeRawBufferPointer) -> [CredentialFinding] {
        var found: [(finding: CredentialFinding, isVague: Bool)] = []
        search(bytes) { range, pattern in
            found.append((CredentialFinding(pattern.rule, of: bytes[range], at: range), pattern.isVague))
        }
        for run in Base64Text(bytes) {
            run.decoded.withUnsafeBytes { decoded in
                search(decoded) { range, pattern in
                    guard !pattern.isVague else { return }
                    found.append((CredentialFinding(pattern.rule, of: decoded[range], at: run.range), false))
                }
            }
        }
        return Self.withoutOverlaps(found).filter { !allowedFingerprints.contains($0.fingerprint) }
    }

    /// Of overlapping findings, the more precise one wins, otherwise the earlier one.
    private static func withoutOverlaps(_ found: [(finding: CredentialFinding, isVague: Bool)])
        -> [CredentialFinding]
    {
        var result: [(finding: CredentialFinding, isVague: Bool)] = []
        for next in found.sorted(by: { $0.finding.range.lowerBound < $1.finding.range.lowerBound }) {
            if let last = result.last, last.finding.range.overlaps(next.finding.range) {
                guard last.isVague, !next.isVague else { continue }
                result.removeLast()
            }
            result.append(next)
        }
        return result.map(\.finding)
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
            // A more precise rule may find the value after a name again.
            position = max(position, pattern.isVague ? found.range.lowerBound : found.range.upperBound)
        }
    }

    private static let patterns = CredentialPatterns.all
    private static let table = LiteralTable(patterns.map(\.prefix))
}

/// A value that looks like a credential, without the value itself.
package struct CredentialFinding: Hashable, Sendable {
    package let rule: String
    /// The first twelve digits of the value's SHA-256, with which the value can be allowed.
    package let fingerprint: String
    package let range: Range<Int>

    init(_ rule: String, of value: some Collection<UInt8>, at range: Range<Int>) {
        self.rule = rule
        fingerprint = Self.fingerprint(of: value)
        self.range = range
    }

    package static func fingerprint(of value: some Collection<UInt8>) -> String {
        String(SHA256Digest(value).hexadecimal.prefix(12))
    }
}

enum CredentialPatterns {
    static let all = prefixed + structured + NamedCredential.patterns

    private static let prefixed: [CredentialPattern] =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
            CredentialPattern("github-token", $0, .alphanumerics, 36...36)
        }
        + ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"].map {
            CredentialPattern("slack-token", $0, .wordOrHyphen, 10...250, isMixed)
        }
        + ["sk_live_", "rk_live_", "sk_test_", "rk_test_"].map {
            CredentialPattern("stripe-key", $0, .alphanumerics, 16...200)
        }
        + ["AKIA", "ASIA"].map { CredentialPattern("aws-access-key", $0, .uppercase, 16...16, isMixed) }
        + ["shpat_", "shpss_"].map {
            CredentialPattern("shopify-token", $0, ByteSet("0123456789abcdefABCDEF"), 32...32)
        }
        + [
            CredentialPattern("github-token", "github_pat_", .word, 22...255, isMixed),
            CredentialPattern("anthropic-key", "sk-ant-", .wordOrHyphen, 20...250, isMixed),
            CredentialPattern("openai-key", "sk-proj-", .wordOrHyphen, 20...250, isMixed),
            CredentialPattern("openai-key", "sk-", .wordOrHyphen, 20...250) { tail in
                tail.prefix(20).allSatisfy(ByteSet.alphanumerics.contains) && isMixed(tail)
            },
            CredentialPattern("stripe-key", "whsec_", .base64, 24...100, isMixed),
            CredentialPattern("google-key", "AIza", .wordOrHyphen, 35...35, isMixed),
            CredentialPattern("google-token", "ya29.", .wordOrHyphen, 20...2_048, isMixed),
            CredentialPattern("google-secret", "GOCSPX-", .wordOrHyphen, 20...60, isMixed),
            CredentialPattern("gitlab-token", "glpat-", .dotted, 20...300, isMixed),
            CredentialPattern("npm-token", "npm_", .alphanumerics, 36...36, isMixed),
            CredentialPattern("pypi-token", "pypi-AgEI", .wordOrHyphen, 50...2_048),
            CredentialPattern("sendgrid-key", "SG.", .dotted, 33...120) { tail in
                let parts = tail.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { $0.count >= 16 } && isMixed(tail)
            },
            CredentialPattern("twilio-key", "SK", .hexadecimal, 32...32, isMixed),
            CredentialPattern("digitalocean-token", "dop_v1_", .hexadecimal, 64...64),
            CredentialPattern("huggingface-token", "hf_", .alphanumerics, 30...40) {
                CredentialText.entropy(of: $0) >= 3.5
            },
            CredentialPattern("azure-key", "AccountKey=", .base64, 40...100, keepsPrefix: false),
        ]

    @Sendable private static func isMixed(_ tail: UnsafeRawBufferPointer.SubSequence) -> Bool {
        CredentialText.hasDigitAndLetter(tail)
    }

    private static let structured =
        [
            CredentialPattern("json-web-token", "eyJ", CredentialFormats.jsonWebToken),
            CredentialPattern("private-key", "-----BEGIN ", CredentialFormats.privateKey),
            CredentialPattern("telegram-token", ":AA", CredentialFormats.telegramToken),
            CredentialPattern("url-password", "://", CredentialFormats.urlPassword),
        ]
        + ["Basic ", "basic "].map {
            CredentialPattern("basic-credentials", $0, isVague: true, CredentialFormats.basic)
        }
        + ["Bearer ", "bearer "].map {
            CredentialPattern("bearer-token", $0, isVague: true, CredentialFormats.bearer)
        }
}

struct CredentialPattern: Sendable {
    /// Returns the range of the credential whose prefix begins at an index; `nil` if there is none.
    typealias Matcher = @Sendable (UnsafeRawBufferPointer, Int) -> Range<Int>?

    let rule: String
    /// The text that triggers the rule.
    let prefix: [UInt8]
    /// Whether other rules are more precise for the same place.
    let isVague: Bool
    let match: Matcher

    init(_ rule: String, _ prefix: String, isVague: Bool = false, _ match: @escaping Matcher) {
        self.rule = rule
        self.prefix = Array(prefix.utf8)
        self.isVague = isVague
        self.match = match
    }

    /// Creates a rule for a prefix followed by a run of characters, as a whole word.
    init(
        _ rule: String,
        _ prefix: String,
        _ characters: ByteSet,
        _ counts: ClosedRange<Int>,
        keepsPrefix: Bool = true,
        _ check: @escaping @Sendable (UnsafeRawBufferPointer.SubSequence) -> Bool = { _ in true }
    ) {
        let length = prefix.utf8.count
        self.init(rule, prefix) { bytes, place in
            guard CredentialText.beginsWord(in: bytes, at: place) else { return nil }
            let start = place + length
            let end = characters.end(in: bytes, from: start, atMost: counts.upperBound + 1)
            let tail = bytes[start..<end]
            guard counts.contains(tail.count), CredentialText.endsWord(in: bytes, at: end),
                !CredentialText.isDummy(tail), check(tail)
            else { return nil }
            return (keepsPrefix ? place : start)..<end
        }
    }
}
