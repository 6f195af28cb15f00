import Foundation
import Rewind

/// Where a subcommand reads and writes: the standard streams of the process.
struct Console: Sendable {
    /// The style of what goes to standard output.
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
    /// - Parameters:
    ///   - all: The things.
    ///   - body: What is done with each.
    /// - Returns: ``ExitStatus/badData`` where one was bad, else ``ExitStatus/failure`` where the body gave that, else
    ///   ``ExitStatus/success``.
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
