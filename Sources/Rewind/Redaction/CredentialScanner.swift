import Foundation

package struct CredentialScanner: Sendable {
    private let allowedFingerprints: Set<String>

    package init(allowing fingerprints: Set<String> = []) { allowedFingerprints = fingerprints }

    /// The findings in order, without overlaps.
    package func findings(in data: Data) -> [CredentialFinding] { data.withUnsafeBytes(findings) }

    func findings(in bytes: UnsafeRawBufferPointer) -> [CredentialFinding] {
        var matches: [Match] = []
        search(bytes) { range, pattern in
            matches.append(Match(rule: pattern.rule, range: range, isVague: pattern.isVague))
        }
        for run in Base64Text(bytes) {
            run.decoded.withUnsafeBytes { decoded in
                search(decoded) { range, pattern in
                    guard !pattern.isVague else { return }
                    let value = Array(decoded[range])
                    matches.append(Match(rule: pattern.rule, range: run.range, isVague: false, value: value))
                }
            }
        }
        return Self.withoutOverlaps(matches)
            .map { CredentialFinding($0.rule, of: $0.value ?? Array(bytes[$0.range]), at: $0.range) }
            .filter { !allowedFingerprints.contains($0.fingerprint) }
    }

    private struct Match {
        let rule: String
        let range: Range<Int>
        let isVague: Bool
        /// The value, if it is encoded in the text.
        var value: [UInt8]?
    }

    /// Of overlapping matches, the more precise one wins, otherwise the earlier one.
    private static func withoutOverlaps(_ matches: [Match]) -> [Match] {
        var result: [Match] = []
        for next in matches.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if let last = result.last, last.range.overlaps(next.range) {
                guard last.isVague, !next.isVague else { continue }
                result.removeLast()
            }
            result.append(next)
        }
        return result
    }

    private func search(_ bytes: UnsafeRawBufferPointer, _ body: (Range<Int>, CredentialPattern) -> Void) {
        let (table, patterns) = (Self.table, Self.patterns)
        var memories: [RunMemory] = []
        var places = CredentialPlaces(bytes)
        var position = 0
        while let range = places.next(from: position) {
            guard let place = table.candidate(in: bytes, from: range.lowerBound, to: range.upperBound) else {
                position = range.upperBound
                continue
            }
            position = place + 1
            let found: (range: Range<Int>, pattern: CredentialPattern)? = table.first(in: bytes, at: place) {
                for number in patterns[$0] {
                    if memories.isEmpty { memories = Self.noMemories }
                    let pattern = CredentialPatterns.all[number]
                    if let range = pattern.match(bytes, place, &memories[number]) { return (range, pattern) }
                }
                return nil
            }
            guard let found else { continue }
            // A placeholder in base64 looks random.
            let value = UnsafeRawBufferPointer(rebasing: bytes[found.range])
            if !found.pattern.isVague || !PlaceholderSearch(value).contains(where: { _ in true }) {
                body(found.range, found.pattern)
            }
            // A more precise rule may find the value after a name again.
            position = max(position, found.pattern.isVague ? found.range.lowerBound : found.range.upperBound)
        }
    }

    /// The numbers of the patterns for each prefix.
    private static let patterns: [[Int]] = {
        let numbers = Dictionary(grouping: CredentialPatterns.all.indices) { CredentialPatterns.all[$0].prefix }
        return CredentialPatterns.all.map { numbers[$0.prefix] ?? [] }
    }()

    private static let table = LiteralTable(CredentialPatterns.all.map(\.prefix))
    private static let noMemories = [RunMemory](repeating: RunMemory(), count: CredentialPatterns.all.count)
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
    static let all = ProviderTokens.patterns + CredentialFormats.patterns + NamedCredential.patterns
}
