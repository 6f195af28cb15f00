/// What a text may ask of the reader before it is refused.
package struct JSONLimits: Sendable, Hashable {
    /// The number of arrays and objects that may stand inside one another.
    ///
    /// Reading, comparing and writing need stack for every level. The default fits into the stack of half a
    /// megabyte that Apple systems give to threads, even without optimization; a larger number wants a
    /// larger stack.
    package var maximumDepth: Int

    /// Creates limits.
    package init(maximumDepth: Int = 128) {
        self.maximumDepth = maximumDepth
    }

    /// The limits for texts of unknown origin.
    package static let `default` = JSONLimits()
}
