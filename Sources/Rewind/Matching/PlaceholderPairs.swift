extension Interaction.Request {
    /// The placeholders in this request and those in the same places of a recorded one, in any part of them.
    ///
    /// Parts that are not compared may contain secrets that the response repeats, such as the ID of the request. Where the
    /// requests have a different number of secrets with a name, none is paired.
    /// - Parameters:
    ///   - recorded: The recorded request.
    ///   - known: The pairs that are known already.
    /// - Returns: The further pairs.
    func placeholderPairs(
        with recorded: Interaction.Request,
        besides known: SecretLedger.Pairs
    ) -> SecretLedger.Pairs {
        var pairs: SecretLedger.Pairs = []
        var (live, former) = (Set(known.map(\.live)), Set(known.map(\.recorded)))
        func add(_ own: [Placeholder], _ others: [Placeholder]) {
            let own = own.inOrder(without: live)
            let others = others.inOrder(without: former)
            for (name, others) in others {
                guard let own = own[name], own.count == others.count else { continue }
                for pair in zip(own, others) {
                    pairs.append(pair)
                    live.insert(pair.0)
                    former.insert(pair.1)
                }
            }
        }
        // The projections sort what has no order.
        let url = RequestMatcher.url
        add(url.projection(self).placeholders, url.projection(recorded).placeholders)
        for name in Set(recorded.headers.fields.map { $0.name.lowercased() }).sorted() {
            add(placeholders(inHeader: name), recorded.placeholders(inHeader: name))
        }
        if body != nil, recorded.body != nil {
            let body = RequestMatcher.body
            add(body.projection(self).placeholders, body.projection(recorded).placeholders)
        }
        return pairs
    }

    private func placeholders(inHeader name: String) -> [Placeholder] {
        headers.fields.filter { $0.name.lowercased() == name }.flatMap {
            Placeholder.placeholders(in: $0.value)
        }
    }
}

extension [Placeholder] {
    /// The placeholders by name, each once.
    fileprivate func inOrder(without known: Set<Placeholder>) -> [String: [Placeholder]] {
        var seen = known
        return Dictionary(grouping: filter { seen.insert($0).inserted }, by: \.name)
    }
}
