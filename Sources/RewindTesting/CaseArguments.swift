import Testing

/// The arguments of a case, which the testing library shows to its own tools only.
struct CaseArguments {
    /// The arguments as they describe themselves, in the order of the parameters.
    let values: [String]

    /// Reads them through the case's mirror; `nil` where it does not show them.
    init?(_ testCase: Test.Case) {
        guard let kind = Mirror(reflecting: testCase).descendant("_kind"),
            let payload = Mirror(reflecting: kind).children.first?.value,
            let arguments = Mirror(reflecting: payload).descendant("arguments")
        else { return nil }
        values = Mirror(reflecting: arguments).children.compactMap { argument in
            Mirror(reflecting: argument.value).descendant("value").map { String(describing: $0) }
        }
    }
}
