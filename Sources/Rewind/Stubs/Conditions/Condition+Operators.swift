extension Condition {
    /// Holds where both conditions hold.
    public static func && (left: Condition, right: Condition) -> Condition {
        let members = left.factors + right.factors
        if let only = members.first, members.count == 1 { return only }
        return members.isEmpty ? left : Condition(.all(members))
    }

    /// Holds where at least one of the conditions holds.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.either(left.alternatives + right.alternatives))
    }

    /// Holds where the condition does not.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(.not(condition))
    }

    /// The conditions that it joins by `&&`; none for ``any``, which adds nothing.
    private var factors: [Condition] {
        guard problem == nil, case .all(let members) = form, title == nil || members.isEmpty else {
            return [self]
        }
        return members
    }

    /// The conditions that it joins by `||`.
    private var alternatives: [Condition] {
        guard case .either(let members) = form else { return [self] }
        return members
    }
}

extension Condition: CustomStringConvertible {
    /// The condition as it is written, such as `host(api.example.com) && !method(POST)`.
    public var description: String {
        if let title { return title }
        switch form {
        case .part(let part): return part.title
        case .all(let members): return members.map { $0.text(inside: .all) }.joined(separator: " && ")
        case .either(let members): return members.map { $0.text(inside: .either) }.joined(separator: " || ")
        case .not(let member): return "!" + member.text(inside: .not)
        }
    }

    /// How closely an operator binds what stands beside it.
    private enum Binding: Int {
        case either, all, not, part
    }

    private var binding: Binding {
        switch form {
        case .part: .part
        // A title such as `GET /users` reads as one thing beside `&&`, but not behind `!`.
        case .all: title == nil || title?.utf8.contains(UInt8(ascii: " ")) == true ? .all : .part
        case .either: .either
        case .not: .not
        }
    }

    private func text(inside outer: Binding) -> String {
        binding.rawValue < outer.rawValue ? "(\(description))" : description
    }
}
