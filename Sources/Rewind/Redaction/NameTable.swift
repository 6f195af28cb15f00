/// Finds the role of a name without creating strings, which would be most of the cost of redaction.
///
/// A pattern is a name, or the end of one after an asterisk. Of several patterns, the exact name counts, or the longest end.
struct NameTable<Role: Sendable>: Sendable {
    private var names: [UInt64: Role] = [:]
    private var ends: [UInt64: Role] = [:]
    /// For each last letter of a pattern, the letters before it.
    private var lastLetters = [UInt32](repeating: 0, count: 256)

    /// Adds patterns. For a repeated pattern, the first role counts.
    mutating func add(_ patterns: some Sequence<String>, _ role: Role) {
        for pattern in patterns {
            let isEnd = pattern.hasPrefix("*")
            let name = Array(SecretNames.normalized(isEnd ? String(pattern.dropFirst()) : pattern).utf8)
            guard let last = name.last else { continue }
            let hash = name.reversed().reduce(Self.seed, Self.combine)
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
        names[Array(name.utf8).reversed().reduce(Self.seed, Self.combine)] = role
    }

    /// The role of a name that may have any spelling.
    func role(of name: UnsafeRawBufferPointer) -> Role? {
        SecretNames.withNormalized(name) { name in
            role(ofNormalized: name) ?? stem(of: name).flatMap { role(ofNormalized: $0) }
        } ?? nil
    }

    /// The name without a plural, or without the name of an environment at its end.
    private func stem<Name: BidirectionalCollection<UInt8>>(of name: Name) -> Name.SubSequence? {
        guard name.count > 4, let last = name.last, Self.lastLettersOfEndings.contains(last) else { return nil }
        let ending = Self.endings.first { $0.count + 2 < name.count && name.suffix($0.count).elementsEqual($0) }
        return ending.map { name.dropLast($0.count) }
    }

    private static var endings: [[UInt8]] { NameEndings.all }
    private static var lastLettersOfEndings: ByteSet { NameEndings.lastLetters }

    private func role(ofNormalized name: some BidirectionalCollection<UInt8>) -> Role? {
        guard let last = name.last else { return nil }
        let letters = lastLetters[Int(last)]
        // Most names end here.
        guard letters != 0 else { return nil }
        if let before = name.dropLast().last, letters & 1 << UInt32(before & 31) == 0, letters != .max {
            return nil
        }
        var hash = Self.seed
        var found: Role?
        for byte in name.reversed() {
            hash = Self.combine(hash, byte)
            if let role = ends[hash] { found = role }
        }
        return names[hash] ?? found
    }

    // FNV-1a over the bytes from the last to the first, so that every end of a name is on the way.
    private static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }
    private static func combine(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

/// The ends of names that do not change what a name says.
private enum NameEndings {
    static let all = [
        "production", "development", "staging", "sandbox", "prod", "dev", "stage", "test", "live", "new", "old",
        "base",
        "primary", "secondary", "value", "raw", "plain", "string", "text", "s",
    ].map { Array($0.utf8) }
    static let lastLetters = ByteSet(String(decoding: all.compactMap(\.last), as: UTF8.self))
}
