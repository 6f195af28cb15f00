/// What the credentials of one kind look like.
struct CredentialPattern: Sendable {
    /// Finds the credential whose prefix begins at an index.
    typealias Matcher = @Sendable (UnsafeRawBufferPointer, Int) -> Range<Int>?

    /// The name of the rule.
    let rule: String
    /// The text by which it is noticed.
    let prefix: [UInt8]
    /// Whether other rules that find the same place know more about it.
    let isVague: Bool
    let match: Matcher

    init(_ rule: String, _ prefix: String, isVague: Bool = false, _ match: @escaping Matcher) {
        self.rule = rule
        self.prefix = Array(prefix.utf8)
        self.isVague = isVague
        self.match = match
    }

    /// A pattern of a prefix and a run of characters after it, with no word before or after.
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
