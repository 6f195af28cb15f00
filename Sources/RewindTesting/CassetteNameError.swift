/// A test whose cassette cannot be named.
public enum CassetteNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The testing library does not show the arguments of a case.
    case hiddenArguments(String)

    /// What is wrong and what mends it.
    public var description: String {
        switch self {
        case .hiddenArguments(let test):
            "This version of Swift Testing hides the arguments of \(test), so its cases have no names of their own."
                + " Use `withCassette(name) { … }` in the test instead of the trait."
        }
    }
}
