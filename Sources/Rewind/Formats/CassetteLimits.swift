/// What a file may ask of the reader before it is refused.
package struct CassetteLimits: Sendable, Hashable {
    /// The number of bytes of the file, which is looked at before the file is read.
    package var maximumSize: Int
    /// The number of interactions.
    package var maximumInteractions: Int

    /// Creates limits.
    package init(maximumSize: Int = 1 << 30, maximumInteractions: Int = 1_000_000) {
        self.maximumSize = maximumSize
        self.maximumInteractions = maximumInteractions
    }

    /// The limits for files of unknown origin.
    package static let `default` = CassetteLimits()

    /// What is wrong with a file of more interactions than allowed.
    static func tooManyInteractions(_ limit: Int) -> CassetteProblem {
        .tooLarge("it has more than \(limit) interactions")
    }
}
