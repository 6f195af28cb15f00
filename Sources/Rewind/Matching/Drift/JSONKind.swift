/// A kind of JSON value, as far as those who read it are concerned: a whole number and a fraction are one.
package enum JSONKind: String, Hashable, Sendable, CaseIterable {
    case string, number, boolean, object, array, null

    /// Creates the kind of a value.
    package init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }

    /// Several kinds in words, such as `string or null`, those first that were known before.
    static func text(_ kinds: Set<JSONKind>, knowing known: Set<JSONKind> = []) -> String {
        let ordered = allCases.filter(known.contains) + allCases.filter { !known.contains($0) }
        return ordered.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
    }
}
