import Foundation

/// What the names of members in one text say. A text has many members, but few different names.
final class MemberNames {
    private let rules: SecretRules
    private let host: String
    /// The meanings that were found.
    private var meanings: [SecretRules.Meaning] = []
    /// The last name of each hash, and the number of its meaning.
    private var known = [Name](repeating: Name(start: nil, count: 0, number: -1), count: 256)

    private struct Name {
        /// In the text, which outlives the search.
        let start: UnsafeRawPointer?
        let count: Int
        /// The index of the meaning; -1 if there is none.
        let number: Int
    }

    init(_ rules: SecretRules, host: String) { (self.rules, self.host) = (rules, host) }

    /// A meaning by its number; `nil` for a negative one.
    subscript(number: Int) -> SecretRules.Meaning? { number < 0 ? nil : meanings[number] }

    /// The number of the meaning of a name; `nil` if it says nothing. The name must be a part of the text.
    func number(of name: UnsafeRawBufferPointer) -> Int? {
        guard let text = name.baseAddress, name.count > 0 else { return nil }
        let first = Int(truncatingIfNeeded: text.load(as: UInt8.self))
        let middle = Int(truncatingIfNeeded: text.load(fromByteOffset: name.count &>> 1, as: UInt8.self))
        let last = Int(truncatingIfNeeded: text.load(fromByteOffset: name.count &- 1, as: UInt8.self))
        let hash = ((first &* 31 &+ middle) &* 31 &+ last &+ name.count) & 255
        let other = known[hash]
        if other.count == name.count, let start = other.start, memcmp(start, text, name.count) == 0 {
            return other.number < 0 ? nil : other.number
        }
        let meaning = rules.meaning(ofField: name, host: host)
        if let meaning { meanings.append(meaning) }
        let number = meaning == nil ? -1 : meanings.count - 1
        known[hash] = Name(start: text, count: name.count, number: number)
        return number < 0 ? nil : number
    }
}
