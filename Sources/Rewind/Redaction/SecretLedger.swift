import Foundation

/// The secrets of a cassette and their placeholders.
package final class SecretLedger: Sendable {
    fileprivate struct State: Sendable {
        var placeholders: [String: Placeholder] = [:]
        var isCounted = false
        var numbers: [String: Int] = [:]
        /// The secrets to replace everywhere, in the order in which they were found.
        var distinctive: [(value: String, placeholder: Placeholder)] = []
        /// Placeholders whose secrets may have another number in the cassette.
        var unbound: Set<Placeholder> = []
        /// The placeholders in the cassette for secrets that were numbered before these were known.
        var bound: [Placeholder: Placeholder] = [:]
        /// The values of `bound`.
        var taken: Set<Placeholder> = []
        /// The live secrets, as they were found.
        var values: [Placeholder: String] = [:]
        /// The live secrets for which the cassette contains these placeholders.
        var current: [Placeholder: String] = [:]
        /// Secrets that are not searched for everywhere, because there are too many.
        var unsearched: Set<String> = []
        var replacer: SecretReplacer?
        /// The placeholders that the user chose.
        var chosen: Set<String> = []
    }

    private let state = Locked(State())
    private let known: @Sendable () -> [Placeholder]
    private let limit: Int

    /// Creates a ledger whose numbers follow those of the cassette.
    /// - Parameters:
    ///   - limit: The number of secrets that are searched for everywhere, because each one costs time; all by default.
    ///   - known: Returns the placeholders of the cassette. It is called only if there is a secret.
    package init(limit: Int = .max, after known: @escaping @Sendable () -> [Placeholder] = { [] }) {
        self.limit = limit
        self.known = known
    }

    /// The placeholder of a secret, a new one if it has none yet.
    /// - Parameters:
    ///   - value: The secret.
    ///   - name: The name of the field that contained it.
    ///   - isEverywhere: Whether to replace it everywhere, if it is distinctive.
    /// - Returns: The placeholder.
    func placeholder(for value: String, name: String, isEverywhere: Bool = true) -> Placeholder {
        state.withLock { state in
            if let known = state.placeholders[value] { return known }
            if !state.isCounted { count(known(), in: &state) }
            let name = Placeholder(name: name, number: 0).name
            let number = (state.numbers[name] ?? 0) + 1
            state.numbers[name] = number
            let placeholder = Placeholder(name: name, number: number)
            state.placeholders[value] = placeholder
            state.values[placeholder] = value
            state.unbound.insert(placeholder)
            if isEverywhere, state.distinctive.count >= limit { state.unsearched.insert(value) }
            if isEverywhere, state.distinctive.count < limit {
                // A header field or a cookie may contain it encoded, and another place decoded.
                let decoded = PercentDecoding.decoded(value).flatMap { $0 == value ? nil : $0 }
                for text in [value, decoded].compactMap({ $0 })
                where SecretValue.isDistinctive(text) && (text == value || state.placeholders[text] == nil) {
                    state.placeholders[text] = placeholder
                    state.distinctive.append((text, placeholder))
                    state.replacer?.append([(text, placeholder)])
                }
            }
            return placeholder
        }
    }

    /// Whether a secret is not searched for everywhere, because there are too many.
    func isUnsearched(_ value: String) -> Bool { state.withLock { $0.unsearched.contains(value) } }

    /// Whether a text is a placeholder that the user chose.
    func isChosen(_ text: String) -> Bool { state.withLock { $0.chosen.contains(text) } }

    private func count(_ placeholders: [Placeholder], in state: inout State) {
        state.isCounted = true
        for placeholder in placeholders {
            state.numbers[placeholder.name] = max(state.numbers[placeholder.name] ?? 0, placeholder.number ?? 0)
        }
    }

    /// The number of secrets that are searched for everywhere. It never decreases.
    package var searchedCount: Int { state.withLock { $0.distinctive.count } }

    /// Replaces the secrets everywhere; `nil` if there are none to replace.
    var replacer: SecretReplacer? {
        state.withLock { state in
            guard !state.distinctive.isEmpty else { return nil }
            if let replacer = state.replacer { return replacer }
            let replacer = SecretReplacer(state.distinctive)
            state.replacer = replacer
            return replacer
        }
    }

    /// A placeholder in a live request and the recorded one in the same place.
    package typealias Pairs = [(live: Placeholder, recorded: Placeholder)]

    /// Whether the live secrets can be the recorded ones. Known secrets must be the same, and two different live secrets
    /// cannot be the same recorded one.
    package func agree(_ pairs: Pairs) -> Bool { state.withLock { $0.agree(pairs) != nil } }

    /// Stores which recorded placeholders the secrets of an answered live request have.
    package func bind(_ pairs: Pairs) {
        state.withLock { state in
            guard let bindings = state.agree(pairs), !bindings.isEmpty else { return }
            for (live, recorded) in bindings {
                state.unbound.remove(live)
                state.bound[live] = recorded
                state.taken.insert(recorded)
                state.current[recorded] = state.values[live]
            }
            for (value, placeholder) in state.placeholders {
                if let recorded = bindings[placeholder] { state.placeholders[value] = recorded }
            }
            state.distinctive = state.distinctive.map { ($0.value, bindings[$0.placeholder] ?? $0.placeholder) }
            state.replacer = nil
        }
    }

    /// The live secrets for the placeholders of recorded requests.
    ///
    /// Also stores them for the responses to later requests. Unlike ``bind(_:)``, this decides nothing about matching.
    func secrets(pairedBy pairs: Pairs) -> [Placeholder: String] {
        state.withLock { state in
            var secrets: [Placeholder: String] = [:]
            for (live, recorded) in pairs where recorded.number != nil {
                guard let value = state.values[live] ?? state.current[live] else { continue }
                secrets[recorded] = value
                if !state.taken.contains(recorded) { state.current[recorded] = value }
            }
            return secrets
        }
    }

    /// The live secret for a placeholder of the cassette; `nil` if no request contained it.
    func secret(for recorded: Placeholder) -> String? { state.withLock { $0.current[recorded] } }

    /// The secrets whose recorded placeholders are known, for the next ledger.
    package var knownSecrets: [String: Placeholder] {
        state.withLock { state in state.placeholders.filter { !state.unbound.contains($0.value) } }
    }

    /// All secrets and their placeholders.
    var allSecrets: [String: Placeholder] { state.withLock { $0.placeholders } }

    /// Adds secrets with the placeholders of the cassette.
    /// - Parameters:
    ///   - secrets: The secrets.
    ///   - isEverywhere: Whether to replace them everywhere even if they are not distinctive.
    package func know(_ secrets: [String: Placeholder], isEverywhere: Bool = false) {
        state.withLock { state in
            for (value, placeholder) in secrets.sorted(by: { $0.key < $1.key }) {
                state.placeholders[value] = placeholder
                if placeholder.number == nil { state.chosen.insert(placeholder.text) }
                if isEverywhere || SecretValue.isDistinctive(value) {
                    state.distinctive.append((value, placeholder))
                }
            }
            state.replacer = nil
        }
    }
}

extension SecretLedger.State {
    /// The new bindings under which each pair is the same secret; `nil` if that is impossible.
    fileprivate func agree(_ pairs: SecretLedger.Pairs) -> [Placeholder: Placeholder]? {
        var bindings: [Placeholder: Placeholder] = [:]
        for (live, recorded) in pairs {
            guard live.name == recorded.name else { return nil }
            if let known = bound[live] ?? bindings[live] {
                guard known == recorded else { return nil }
            } else if unbound.contains(live) {
                let isTaken = taken.contains(recorded) || bindings.values.contains(recorded)
                guard !isTaken else { return nil }
                bindings[live] = recorded
            } else if live != recorded {
                return nil
            }
        }
        return bindings
    }
}
