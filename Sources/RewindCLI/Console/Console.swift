import Foundation
import Rewind

struct Console: Sendable {
    let style: TextStyle

    /// Has the colours that the terminal and `NO_COLOR` allow.
    static var process: Console {
        Console(style: TextStyle(isTerminal: isatty(STDOUT_FILENO) == 1, environment: .process))
    }

    func print(_ text: String) { write(Data((text + "\n").utf8)) }

    func write(_ data: Data) {
        // A reader that closed its end has read enough.
        try? FileHandle.standardOutput.write(contentsOf: data)
    }

    /// Reports on standard error what went wrong; the text may contain what stands in a file.
    func complain(_ error: some Any) {
        FileHandle.standardError.write(Data("rewind: \(VisibleText.lines("\(error)"))\n".utf8))
    }

    /// Does the same with each element; errors go to standard error and do not stop the rest.
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

struct CommandError: Error, CustomStringConvertible { let description: String }

/// A line on standard error with the progress of long work, on a terminal only.
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

    mutating func clear() {
        guard shown != nil else { return }
        shown = nil
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
