extension Condition {
    /// How a condition is made of others.
    indirect enum Form: Sendable {
        case part(ConditionPart)
        case all([Condition])
        case either([Condition])
        case not(Condition)
    }
}

extension Condition.Form {
    /// The conditions that it is made of.
    var members: [Condition] {
        switch self {
        case .part: []
        case .all(let members), .either(let members): members
        case .not(let member): [member]
        }
    }

    var problem: String? {
        if case .part(let part) = self { return part.problem }
        return members.lazy.compactMap(\.problem).first
    }

    var parts: RequestParts {
        if case .part(let part) = self { return part.parts }
        return members.reduce(into: []) { $0.formUnion($1.parts) }
    }

    /// What can be looked up of the requests that it holds for.
    var key: ConditionKey {
        switch self {
        case .part(let part): part.key
        case .all(let members): members.reduce(ConditionKey()) { $0.joined(with: $1.form.key) }
        case .either, .not: ConditionKey()
        }
    }

    func captures(in subject: ConditionSubject) -> [String]? {
        switch self {
        case .part(let part):
            return part.captures(subject)
        case .all(let members):
            var captures: [String] = []
            for member in members {
                guard let found = member.captures(in: subject) else { return nil }
                captures += found
            }
            return captures
        case .either(let members):
            return members.lazy.compactMap { $0.captures(in: subject) }.first
        case .not(let member):
            return member.captures(in: subject) == nil ? [] : nil
        }
    }

    func mismatch(with subject: ConditionSubject) -> String? {
        switch self {
        case .part(let part):
            return part.captures(subject) == nil ? part.mismatch(subject) : nil
        case .all(let members):
            return members.lazy.compactMap { $0.mismatch(with: subject) }.first
        case .either(let members):
            var mismatches: [String] = []
            for member in members {
                guard let mismatch = member.mismatch(with: subject) else { return nil }
                mismatches.append(mismatch)
            }
            return Self.phrase(mismatches)
        case .not(let member):
            return member.mismatch(with: subject) == nil ? "\(member) holds" : nil
        }
    }

    /// Why none of some alternatives holds, the first two named.
    private static func phrase(_ mismatches: [String]) -> String {
        let others = mismatches.count - 2
        let named = mismatches.prefix(2).joined(separator: ", and ")
        return others > 0 ? named + ", and \(others) more do not hold" : named
    }
}
