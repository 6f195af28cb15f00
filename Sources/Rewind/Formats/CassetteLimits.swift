/// What a file may ask of the reader before it is refused.
package struct CassetteLimits: Sendable, Hashable {
    /// The number of bytes of the file, which is looked at before the file is read.
    package var maximumSize: Int
    /// The number of interactions.
    package var maximumInteractions: Int
    /// The number of bytes that one compressed body may grow to; a small file could otherwise ask for a thousand times
    /// its size.
    package var maximumInflatedBody: Int
    /// The number of bytes that all compressed bodies together may grow to, which is what a file may have.
    package var maximumInflatedSize: Int

    /// Creates limits.
    package init(
        maximumSize: Int = 1 << 30,
        maximumInteractions: Int = 1_000_000,
        maximumInflatedBody: Int = 1 << 28,
        maximumInflatedSize: Int = 1 << 30
    ) {
        self.maximumSize = maximumSize
        self.maximumInteractions = maximumInteractions
        self.maximumInflatedBody = maximumInflatedBody
        self.maximumInflatedSize = maximumInflatedSize
    }

    /// The limits for files of unknown origin.
    package static let `default` = CassetteLimits()

    /// What is wrong with a file of more interactions than allowed.
    static func tooManyInteractions(_ limit: Int) -> CassetteProblem {
        .tooLarge("it has more than \(limit) interactions")
    }
}
