import Foundation

/// Finds the role of a name without creating strings, which would be most of the cost of redaction.
///
/// A pattern is a name, or the end of one after an asterisk. Of several patterns, the exact name counts, or the longest end.
struct NameTable<Role: Sendable>: Sendable {
    private var names: [UInt64: Role] = [:]
    private var ends: [UInt64: Role] = [:]
    /// For each last letter of a pattern, the letters before it.
    private var lastLetters = [UInt32](repeating: 0, count: 256)
    /// A bit for the hash of each pattern, which excludes nearly all lookups.
    private var hashes = [UInt64](repeating: 0, count: 256)

    /// Adds patterns. For a repeated pattern, the first role counts.
    mutating func add(_ patterns: some Sequence<String>, _ role: Role) {
        for pattern in patterns {
            let isEnd = pattern.hasPrefix("*")
            let name = Array(SecretNames.normalized(isEnd ? String(pattern.dropFirst()) : pattern).utf8)
            guard let last = name.last else { continue }
            let hash = name.reversed().reduce(Self.seed, Self.combine)
            hashes[Int(truncatingIfNeeded: hash &>> 6 & 255)] |= 1 &<< (hash & 63)
            if isEnd {
                if ends[hash] == nil { ends[hash] = role }
            } else if names[hash] == nil {
                names[hash] = role
            }
            let before = name.dropLast().last
            lastLetters[Int(last)] |= before.map { 1 << UInt32($0 & 31) } ?? .max
        }
    }

    /// Sets the role of a normalized name.
    mutating func set(_ name: String, _ role: Role) {
        add([name], role)
        // `add` has set its bit in `hashes`.
        names[Array(name.utf8).reversed().reduce(Self.seed, Self.combine)] = role
    }

    /// The role of a name that may have any spelling.
    func role(of name: UnsafeRawBufferPointer) -> Role? {
        SecretNames.withNormalized(name) { name -> Role? in
            if let role = role(ofNormalized: name) { return role }
            guard let count = NameEndings.countWithoutEnding(of: name) else { return nil }
            return role(ofNormalized: UnsafeRawBufferPointer(rebasing: name[..<count]))
        } ?? nil
    }

    private func role(ofNormalized name: UnsafeRawBufferPointer) -> Role? {
        guard let text = name.baseAddress?.assumingMemoryBound(to: UInt8.self), name.count > 0 else {
            return nil
        }
        var index = name.count &- 1
        let letters = lastLetters[Int(truncatingIfNeeded: text[index])]
        // Most names end here.
        guard letters != 0 else { return nil }
        if index > 0, letters != .max,
            letters & 1 &<< UInt32(truncatingIfNeeded: text[index &- 1] & 31) == 0
        {
            return nil
        }
        return hashes.withUnsafeBufferPointer { hashes in
            guard let hashes = hashes.baseAddress else { return nil }
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            var found: Role?
            while index >= 0 {
                hash = (hash ^ UInt64(truncatingIfNeeded: text[index])) &* 0x0000_0100_0000_01B3
                let bits = hashes[Int(truncatingIfNeeded: hash &>> 6 & 255)]
                if bits &>> (hash & 63) & 1 != 0, let role = ends[hash] { found = role }
                index &-= 1
            }
            let bits = hashes[Int(truncatingIfNeeded: hash &>> 6 & 255)]
            guard bits &>> (hash & 63) & 1 != 0 else { return found }
            return names[hash] ?? found
        }
    }

    // FNV-1a over the bytes from the last to the first, so that every end of a name is on the way.
    private static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }
    private static func combine(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

/// The ends of names that do not change what a name says: a plural, or the name of an environment.
private enum NameEndings {
    private static let all = [
        "production", "development", "staging", "sandbox", "prod", "dev", "stage", "test", "live", "new", "old",
        "base",
        "primary", "secondary", "value", "raw", "plain", "string", "text", "s",
    ].map { Array($0.utf8) }
    private static let lastLetters = ByteSet(String(decoding: all.compactMap(\.last), as: UTF8.self))

    /// The length of a name without its ending; `nil` if it has none.
    static func countWithoutEnding(of name: UnsafeRawBufferPointer) -> Int? {
        guard name.count > 4, let text = name.baseAddress, lastLetters.contains(name[name.count - 1]) else {
            return nil
        }
        for ending in all where ending.count + 2 < name.count {
            let start = name.count - ending.count
            if memcmp(text + start, ending, ending.count) == 0 { return start }
        }
        return nil
    }
}
