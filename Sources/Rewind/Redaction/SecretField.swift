/// A value with a name, and what its surroundings say about it.
struct SecretField {
    /// The name, decoded. For a value that a label names, the label.
    let name: String
    let meaning: SecretRules.Meaning?
    /// The role of the nearest name around it.
    var outer: NameRole?
    /// The normalized names beside it, for names that are secret only beside others.
    var siblings: Set<String> = []
    /// Whether text for people is rare here: in requests, and in URLs.
    var isMachineText: Bool

    /// Whether a value is secret.
    func isSecret(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        guard let meaning, !value.isEmpty else { return false }
        if meaning.role == .always { return true }
        let isDescribed = outer == .description
        if !isDescribed, let context = meaning.context {
            let isShortNumber = value.count < 4 && value.allSatisfy(ByteSet.digits.contains)
            if !context.names.isDisjoint(with: siblings), !isShortNumber, !ValuePattern.isProse(value) {
                return true
            }
            if !context.namesForGenerated.isDisjoint(with: siblings), ValuePattern.looksGenerated(value) {
                return true
            }
        }
        switch meaning.role {
        case .always: return true
        case .certain:
            if isDescribed { return ValuePattern.looksGenerated(value) }
            if isMachineText { return true }
            // `{"passcode": "Passcode"}` is a translation.
            let text = SecretNames.normalized(String(decoding: value.prefix(64), as: UTF8.self))
            return text != SecretNames.normalized(name) && !ValuePattern.isProse(value)
        case .likely: return ValuePattern.looksGenerated(value, isMachineText: isMachineText)
        case .possible: return ValuePattern.looksRandom(value)
        case .label: return name.lowercased() == "key" && ValuePattern.looksRandom(value)
        case .contextual:
            // A key of a function in Azure, or a code that an OAuth server sent.
            return name.lowercased() == "code" && value.count >= 40 && ValuePattern.looksRandom(value)
        case .value, .description, .harmless: return false
        }
    }

    /// Whether a number that is not in quotes is secret. Under a name in the plural, it is a count.
    func isSecretNumber(_ value: some BidirectionalCollection<UInt8>) -> Bool {
        if let context = meaning?.context, !context.names.isDisjoint(with: siblings), value.count >= 4 {
            return true
        }
        return meaning?.role == .always
            || meaning?.role == .certain && outer != .description && name.last != "s"
    }
}
