/// The members of a JSON object in the order they were written, duplicates included.
///
/// Names are compared by their exact characters, as JSON demands, not by Unicode equivalence.
package struct JSONObject: Sendable, Hashable {
    /// One name with its value.
    package struct Member: Sendable, Hashable {
        /// The name, without its quotes and escapes.
        package var name: String
        /// The value.
        package var value: JSON

        /// Creates a member.
        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        fileprivate func hasName(_ other: String) -> Bool {
            // Equality first, as it is quick at telling different names apart.
            name == other && name.utf8.elementsEqual(other.utf8)
        }
    }

    /// The members in order.
    package var members: [Member]

    /// Creates an object from members in order.
    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// The value of the last member of that name, the one that browsers would take.
    ///
    /// Setting it replaces that value in place or adds a member at the end; `nil` removes every member of
    /// the name.
    package subscript(name: String) -> JSON? {
        get { members.last { $0.hasName(name) }?.value }
        set {
            guard let newValue else {
                return members.removeAll { $0.hasName(name) }
            }
            if let index = members.lastIndex(where: { $0.hasName(name) }) {
                members[index].value = newValue
            } else {
                append(name, newValue)
            }
        }
    }

    /// Adds a member at the end and keeps those that have the same name.
    package mutating func append(_ name: String, _ value: JSON) {
        members.append(Member(name: name, value: value))
    }

    /// Whether two members have the same name.
    package var hasDuplicateNames: Bool {
        Set(members.map { Array($0.name.utf8) }).count < members.count
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) {
        self.init(members.map(Member.init))
    }
}
