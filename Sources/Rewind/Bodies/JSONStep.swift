/// One step from a JSON value to one of its members or elements.
package enum JSONStep: Sendable {
    /// To the member of a name.
    case name(String)
    /// To the element at an index.
    case index(Int)
}

extension JSONStep: Hashable {
    /// Whether two steps are the same; names are the same only scalar by scalar, as in ``JSONObject``.
    package static func == (left: JSONStep, right: JSONStep) -> Bool {
        switch (left, right) {
        case (.name(let left), .name(let right)): left.utf8.elementsEqual(right.utf8)
        case (.index(let left), .index(let right)): left == right
        default: false
        }
    }

    /// Feeds the step to a hash, where names that Unicode holds equivalent may meet.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .name(let name): hasher.combine(name)
        case .index(let index): hasher.combine(index)
        }
    }
}

/// The place of a value inside another one, shown as a path such as `$.users[3]['full name']`.
package struct JSONPlace: Hashable, Sendable {
    /// The steps from the outermost value.
    package var steps: [JSONStep]

    /// Creates a place; without steps it is that of the outermost value.
    package init(_ steps: [JSONStep] = []) {
        self.steps = steps
    }
}

extension JSONPlace: CustomStringConvertible {
    /// The place as a path that ``JSONPath`` reads.
    package var description: String {
        "$" + steps.map(\.description).joined()
    }
}

extension JSONStep: CustomStringConvertible {
    /// The step as it stands in a path.
    package var description: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .name(let name): JSONPathName.isBare(name) ? "." + name : "[" + JSONPathName.quoted(name) + "]"
        }
    }
}
