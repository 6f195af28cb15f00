import Foundation

/// Which placeholder each secret of a cassette has, and which secrets may be replaced wherever they stand.
package final class SecretLedger: Sendable {
    fileprivate struct State: Sendable {
        var placeholders: [String: Placeholder] = [:]
        /// Whether the numbers that the cassette has are counted in.
        var isCounted = false
        /// The last number given under each name.
        var numbers: [String: Int] = [:]
        /// Secrets that are replaced wherever they stand, in the order they were found.
        var distinctive: [(value: String, placeholder: Placeholder)] = []
        /// Placeholders of secrets of which the cassette may know under another number.
        var unbound: Set<Placeholder> = []
        /// What the cassette calls the secrets of some placeholders that were given before that was known.
        var bound: [Placeholder: Placeholder] = [:]
        var replacer: SecretReplacer?
    }

    private let state = Locked(State())
    private let known: @Sendable () -> [Placeholder]
    private let limit: Int

    /// Creates a ledger whose numbers go on after those that a cassette has already.
    /// - Parameters:
    ///   - limit: How many secrets are looked for everywhere, as each costs time; all by default.
    ///   - known: The placeholders that the cassette has, asked for only when there is a secret.
    package init(limit: Int = .max, after known: @escaping @Sendable () -> [Placeholder] = { [] }) {
        self.limit = limit
        self.known = known
    }

    /// The placeholder of a secret, a new one where it has none yet.
    /// - Parameters:
    ///   - value: The secret.
    ///   - name: What it is called where it was found.
    ///   - isEverywhere: Whether it is to be replaced wherever else it stands; it has to be distinctive for that.
    /// - Returns: The placeholder.
    func placeholder(for value: String, name: String, isEverywhere: Bool = true) -> Placeholder {
        state.withLock { state in
            if let known = state.placeholders[value] { return known }
            if !state.isCounted { count(known(), in: &state) }
            let named = Placeholder(name: name)
            let number = (state.numbers[named.name] ?? 0) + 1
            state.numbers[named.name] = number
            let placeholder = Placeholder(name: named.name, number: number)
            state.placeholders[value] = placeholder
            state.unbound.insert(placeholder)
            if isEverywhere, state.distinctive.count < limit {
                // A header field or a cookie may hold it encoded, and another place as it is.
                let decoded = PercentDecoding.decoded(value).flatMap { $0 == value ? nil : $0 }
                for text in [value, decoded].compactMap({ $0 })
                where SecretValue.isDistinctive(text) && (text == value || state.placeholders[text] == nil) {
                    state.placeholders[text] = placeholder
                    state.distinctive.append((text, placeholder))
                    state.replacer = nil
                }
            }
            return placeholder
        }
    }

    private func count(_ placeholders: [Placeholder], in state: inout State) {
        state.isCounted = true
        for placeholder in placeholders {
            state.numbers[placeholder.name] = max(
                state.numbers[placeholder.name] ?? 0,
                placeholder.number ?? 0
            )
        }
    }

    /// The number of secrets that are looked for everywhere, which never becomes smaller.
    package var searchedCount: Int { state.withLock { $0.distinctive.count } }

    /// Replaces all distinctive secrets wherever they stand; `nil` where there is none.
    var replacer: SecretReplacer? {
        state.withLock { state in
            guard !state.distinctive.isEmpty else { return nil }
            if let replacer = state.replacer { return replacer }
            let replacer = SecretReplacer(state.distinctive)
            state.replacer = replacer
            return replacer
        }
    }
}

extension SecretLedger {
    /// Pairs of a live request's placeholder with the one that a recorded request has in its place.
    package typealias Pairs = [(live: Placeholder, recorded: Placeholder)]

    /// Whether the secrets of a live request may be those of a recorded one: each the same wherever both are known, and
    /// no two of them one.
    package func agree(_ pairs: Pairs) -> Bool {
        state.withLock { $0.agree(pairs) != nil }
    }

    /// Takes note of what the cassette calls the secrets of a live request that it answers.
    package func bind(_ pairs: Pairs) {
        state.withLock { state in
            guard let bindings = state.agree(pairs), !bindings.isEmpty else { return }
            for (live, recorded) in bindings {
                state.unbound.remove(live)
                state.bound[live] = recorded
            }
            for (value, placeholder) in state.placeholders {
                if let recorded = bindings[placeholder] { state.placeholders[value] = recorded }
            }
            state.distinctive = state.distinctive.map { ($0.value, bindings[$0.placeholder] ?? $0.placeholder) }
            state.replacer = nil
        }
    }

    /// The secrets whose placeholders a cassette has, for a ledger that goes on from there.
    package var knownSecrets: [String: Placeholder] {
        state.withLock { state in state.placeholders.filter { !state.unbound.contains($0.value) } }
    }

    /// Makes secrets known under the placeholders that a cassette has for them.
    /// - Parameters:
    ///   - secrets: The secrets.
    ///   - isEverywhere: Whether they are looked for everywhere even where they are not distinctive.
    package func know(_ secrets: [String: Placeholder], isEverywhere: Bool = false) {
        state.withLock { state in
            for (value, placeholder) in secrets.sorted(by: { $0.key < $1.key }) {
                state.placeholders[value] = placeholder
                if isEverywhere || SecretValue.isDistinctive(value) {
                    state.distinctive.append((value, placeholder))
                }
            }
            state.replacer = nil
        }
    }
}

extension SecretLedger.State {
    /// What has to be bound for the pairs to be the same secrets; `nil` where they cannot be.
    fileprivate func agree(_ pairs: SecretLedger.Pairs) -> [Placeholder: Placeholder]? {
        var bindings: [Placeholder: Placeholder] = [:]
        for (live, recorded) in pairs {
            guard live.name == recorded.name else { return nil }
            if let known = bound[live] ?? bindings[live] {
                guard known == recorded else { return nil }
            } else if unbound.contains(live) {
                let isTaken = bound.values.contains(recorded) || bindings.values.contains(recorded)
                guard !isTaken else { return nil }
                bindings[live] = recorded
            } else if live != recorded {
                return nil
            }
        }
        return bindings
    }
}
