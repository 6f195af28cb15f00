import Foundation

/// The rules of a redaction, grouped by where they apply, so that testing a name takes one lookup.
///
/// It is an immutable class, because editors pass it on for every value.
package final class SecretRules: Sendable {
    private let headerNames: Set<String>
    private let fieldNames: Set<String>
    private let ambiguousNames: Set<String>
    private let headerFilter: BloomFilter?
    private let fieldFilter: BloomFilter?
    private let headers: [(Glob, host: Glob?)]
    private let fields: [(Glob, host: Glob?)]
    private let paths: [(JSONPath, host: Glob?)]
    private let finders: [(find: @Sendable (String) -> [String], name: String, host: Glob?)]
    package let isEmpty: Bool
    let redactsUsers: Bool

    package init(_ redaction: Redaction) {
        let names = redaction.knowsNames
        let kept = redaction.keptNames
        headerNames = Set(names ? SecretNames.headers.map(SecretNames.normalized) : [])
            .subtracting(kept)
        fieldNames = Set(names ? SecretNames.fields.map(SecretNames.normalized) : [])
            .subtracting(kept)
        ambiguousNames = Set(SecretNames.ambiguousFields.map(SecretNames.normalized))
        redactsUsers = names
        let rules = redaction.rules
        headers = rules.compactMap { if case .header(let name) = $0.place { (name, $0.host) } else { nil } }
        fields = rules.compactMap { if case .field(let name) = $0.place { (name, $0.host) } else { nil } }
        paths = rules.compactMap { if case .jsonPath(let path) = $0.place { (path, $0.host) } else { nil } }
        finders = rules.compactMap { rule in
            if case .values(let find, let name) = rule.place { (find, name, rule.host) } else { nil }
        }
        headerFilter = Self.filter(headerNames, headers.map(\.0))
        fieldFilter = Self.filter(fieldNames, fields.map(\.0))
        dependsOnHost = rules.contains { $0.host != nil }
        isEmpty = !names && rules.isEmpty
    }

    /// Creates a filter; `nil` if a pattern matches an unlimited number of names.
    private static func filter(_ names: Set<String>, _ patterns: [Glob]) -> BloomFilter? {
        patterns.contains { $0.pattern.contains("*") } ? nil : BloomFilter(names.union(patterns.map(\.pattern)))
    }

    /// Whether a name may be secret; `false` is certain.
    func mayBeSecretHeader(_ name: String) -> Bool { headerFilter?.mayContain(name.utf8) ?? true }

    func isSecretHeader(_ name: String, host: String) -> Bool {
        mayBeSecretHeader(name)
            && (headerNames.contains(SecretNames.normalized(name))
                || headers.contains { $0.matches(name) && Self.applies($1, host) })
    }

    /// Whether a name may be secret; `false` is certain.
    func mayBeSecretField(_ name: some Collection<UInt8>) -> Bool { fieldFilter?.mayContain(name) ?? true }

    func isSecretField(_ name: String, value: some StringProtocol, host: String) -> Bool {
        guard name.utf8.count <= 64, mayBeSecretField(name.utf8) else { return false }
        let name = SecretNames.normalized(name)
        if fieldNames.contains(name) { return !ambiguousNames.contains(name) || Self.looksOpaque(value) }
        return fields.contains { $0.matches(name) && Self.applies($1, host) }
    }

    func isSecretPlace(_ place: @autoclosure () -> JSONPlace, host: String) -> Bool {
        guard !paths.isEmpty else { return false }
        let steps = place().steps
        // The values inside a selected array or object are selected too.
        return paths.contains { path, only in
            Self.applies(only, host) && (0...steps.count).contains { path.matches(Array(steps.prefix($0))) }
        }
    }

    var hasPaths: Bool { !paths.isEmpty }

    let dependsOnHost: Bool

    var hasFinders: Bool { !finders.isEmpty }

    func values(in text: String, host: String) -> [(value: String, name: String)] {
        finders.filter { Self.applies($0.host, host) }.flatMap { finder in
            finder.find(text).filter { !$0.isEmpty }.map { ($0, finder.name) }
        }
    }

    private static func applies(_ only: Glob?, _ host: String) -> Bool { only?.matches(host) ?? true }

    /// Whether a value is long and has no spaces, like a generated one.
    private static func looksOpaque(_ value: some StringProtocol) -> Bool {
        let bytes = value.utf8
        return bytes.count >= 8 && !bytes.contains { $0 <= 0x20 || $0 == 0x7F }
    }
}

/// Rejects almost all names that are not in a set without creating strings, which would be most of the cost of redaction.
struct BloomFilter: Sendable {
    private var bits: [UInt64] = Array(repeating: 0, count: 64)

    init(_ names: some Sequence<String>) {
        for (first, second) in names.compactMap({ Self.places(of: $0.utf8) }) {
            bits[first >> 6] |= 1 << UInt64(first & 63)
            bits[second >> 6] |= 1 << UInt64(second & 63)
        }
    }

    /// Whether the set may contain a name; `false` is certain.
    func mayContain(_ name: some Collection<UInt8>) -> Bool {
        guard let (first, second) = Self.places(of: name) else { return true }
        return bits[first >> 6] >> UInt64(first & 63) & bits[second >> 6] >> UInt64(second & 63) & 1 == 1
    }

    /// The two bits of a name; `nil` if the name has to be normalized by `SecretNames.normalized(_:)` first.
    private static func places(of name: some Collection<UInt8>) -> (Int, Int)? {
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): continue
            case UInt8(ascii: "]"), UInt8(ascii: "\\"): return nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): hash ^= UInt64(byte | 0x20)
            default: hash ^= UInt64(byte)
            }
            hash = hash &* 0x0000_0100_0000_01B3
        }
        return (Int(hash >> 32 & 4095), Int((hash ^ hash >> 44) & 4095))
    }
}
