import Foundation
import Rewind

/// Where a subcommand reads and writes: the standard streams of the process.
struct Console: Sendable {
    let style: TextStyle

    /// The console of this process, with the colours that its terminal and `NO_COLOR` allow.
    static var process: Console {
        Console(style: TextStyle(isTerminal: isatty(STDOUT_FILENO) == 1, environment: .process))
    }

    /// Writes a text and a new line to standard output.
    func print(_ text: String) {
        write(Data((text + "\n").utf8))
    }

    /// Writes bytes to standard output as they are.
    func write(_ data: Data) {
        // Who closes the other end has read enough.
        try? FileHandle.standardOutput.write(contentsOf: data)
    }

    /// Tells on standard error what went wrong, which may name what stands in a file.
    func complain(_ error: some Any) {
        FileHandle.standardError.write(Data("rewind: \(VisibleText.lines("\(error)"))\n".utf8))
    }

    /// Does the same with each of many things, of which a bad one does not stop the rest.
    ///
    /// What is thrown is told on standard error. Over a second of work shows its progress where a terminal is watched.
    func each<Element>(_ all: [Element], _ body: (Element) async throws -> ExitStatus) async -> ExitStatus {
        var status = ExitStatus.success
        var progress = ProgressLine(total: all.count)
        for element in all {
            do {
                status = status.and(try await body(element))
            } catch {
                progress.clear()
                complain(error)
                status = status.and(ExitStatus(of: error))
            }
            progress.advance()
        }
        progress.clear()
        return status
    }
}

/// A line on standard error that tells how much of long work is done, where a terminal is watched.
struct ProgressLine {
    private let total: Int
    private let isWatched: Bool
    private let start = ContinuousClock.now
    private var done = 0
    private var shown: ContinuousClock.Instant?

    init(total: Int, isWatched: Bool = isatty(STDERR_FILENO) == 1) {
        self.total = total
        self.isWatched = isWatched
    }

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
