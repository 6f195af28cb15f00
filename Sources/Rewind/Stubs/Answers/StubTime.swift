/// The times of stubs, in milliseconds as interactions have them.
enum StubTime {
    /// Ten years: a wait that any timeout ends first, where an infinite one could not be written down.
    static let endless = 315_360_000_000.0

    /// A duration in milliseconds, to the microsecond, never longer than ``endless``.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return min(Double(seconds) * 1000 + Double(attoseconds) / 1e15, endless).roundedToThousandths
    }
}
