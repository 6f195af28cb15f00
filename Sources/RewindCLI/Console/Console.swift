import Foundation
import Rewind

/// Standard output and standard error of the command.
struct Console: Sendable {
    let style: TextStyle

    /// The console of this process, in color if it is a terminal and `NO_COLOR` is not set.
    static var process: Console {
        Console(style: TextStyle(isTerminal: isatty(STDOUT_FILENO) == 1, environment: .process))
    }

    /// Prints a report, without anything that looks like a credential.
    func print(_ text: String) { printContent(PrintedText.withoutCredentials(text)) }

    /// Prints what a cassette contains, unchanged.
    func printContent(_ text: String) { write(Data((text + "\n").utf8)) }

    func write(_ data: Data) {
        // A reader such as `head` may close the pipe early; that is not an error.
        try? FileHandle.standardOutput.write(contentsOf: data)
    }

    func printError(_ error: any Error) { printError(ErrorText.of(error)) }

    /// Prints a message on standard error; it may contain text of a cassette.
    func printError(_ message: String) {
        let message = PrintedText.withoutCredentials(VisibleText.lines(message))
        FileHandle.standardError.write(Data("rewind: \(message)\n".utf8))
    }

    /// Calls the body for each element, and prints an error of one without stopping the rest.
    func each<Element>(_ all: [Element], _ body: (Element) async throws -> ExitStatus) async -> ExitStatus {
        var status = ExitStatus.success
        var progress = ProgressLine(total: all.count)
        for element in all {
            do {
                status = status.and(try await body(element))
            } catch {
                progress.clear()
                printError(error)
                status = status.and(ExitStatus(of: error))
            }
            progress.advance()
        }
        progress.clear()
        return status
    }
}

/// A progress line on standard error, shown only on a terminal.
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
        // Work of less than a second shows no line, and the line changes at most ten times a second.
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
