/// What was counted: a number with its name, as in `1 host`, or the numbers of interactions.
enum Counted {
    /// The number and the name, with an `s` where there is not exactly one.
    static func text(_ count: Int, _ name: String) -> String {
        count == 1 ? "1 \(name)" : "\(count) \(name)s"
    }

    /// The numbers of interactions, the first eight of them: `#3, #5`, `#1, … and 4 more`.
    static func list(_ numbers: some Collection<Int>) -> String {
        let shown = numbers.prefix(8).map { "#\($0)" }.joined(separator: ", ")
        return numbers.count > 8 ? "\(shown) and \(numbers.count - 8) more" : shown
    }
}
