import Foundation

/// A line on standard error that tells how much of long work is done, where a terminal is watched.
struct ProgressLine {
    private let total: Int
    private let isWatched: Bool
    private let start = ContinuousClock.now
    private var done = 0
    private var shown: ContinuousClock.Instant?

    /// Creates the line of work with so many parts.
    init(total: Int, isWatched: Bool = isatty(STDERR_FILENO) == 1) {
        self.total = total
        self.isWatched = isWatched
    }

    /// Counts a part that is done.
    mutating func advance() {
        done += 1
        let now = ContinuousClock.now
        // Work of less than a second needs no line, and nobody reads one that changes more often than this.
        guard isWatched, now - start > .seconds(1), now - (shown ?? start) > .milliseconds(100) else { return }
        shown = now
        FileHandle.standardError.write(Data("\r\u{1B}[K\(done) of \(total)".utf8))
    }

    /// Takes the line away, to make room for another.
    mutating func clear() {
        guard shown != nil else { return }
        shown = nil
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
