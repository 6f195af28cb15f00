/// A number with the name of what is counted: `1 host`, `2 hosts`.
enum Counted {
    /// The number and the name, with an `s` where there is not exactly one.
    static func text(_ count: Int, _ name: String) -> String {
        count == 1 ? "1 \(name)" : "\(count) \(name)s"
    }
}
