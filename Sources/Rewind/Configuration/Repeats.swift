/// What answers a request once all interactions that match it were played.
public enum Repeats: String, Sendable, CaseIterable {
    /// Nothing: a request beyond those that were recorded is a miss.
    case never
    /// The last of the interactions that match, for ever.
    case last
    /// All interactions that match, from the first again.
    case all
}
