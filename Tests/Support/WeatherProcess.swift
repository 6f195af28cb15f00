import Foundation
import Rewind

/// The tool `WeatherTool` in a process of its own, which replays or records by its environment.
package final class WeatherProcess {
    private let process = Process()
    private let output = Pipe()
    private let errors: URL
    private let folder: TemporaryDirectory

    /// The executable, beside that of the tests.
    package static var executable: URL {
        let test = URL(fileURLWithPath: CommandLine.arguments[0])
        let products =
            test.pathExtension == "xctest" || !test.path.contains(".xctest/")
            ? test.deletingLastPathComponent()
            : Bundle.main.bundleURL
        return products.appendingPathComponent("WeatherTool")
    }

    /// Launches the tool.
    /// - Parameters:
    ///   - arguments: The URL of the server, the command and its argument.
    ///   - environment: Variables in addition to those of this process, without Rewind's variables.
    ///   - directory: The working directory; that of this process by default.
    /// - Throws: An error if the tool cannot be launched.
    package init(_ arguments: [String], _ environment: [String: String], in directory: URL? = nil) throws {
        folder = try TemporaryDirectory()
        errors = folder["errors"]
        try Data().write(to: errors)
        // Its own folder for data, so that no cookie or journal of another run matters.
        let home = [
            "HOME": folder.url.path, "XDG_DATA_HOME": folder["data"].path,
            "XDG_CACHE_HOME": folder["cache"].path,
        ]
        process.executableURL = Self.executable
        process.arguments = arguments
        process.environment = ChildProcess.neutralEnvironment.merging(home) { $1 }.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = directory }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    /// What a process left behind.
    package struct End {
        /// The exit status; the number of the signal plus 128 if a signal ended the process.
        package let status: Int32
        package let output: Data
        package let errors: String

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Waits for the end.
    package func end() throws -> End {
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return End(
            status: process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0),
            output: data,
            errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        )
    }

    /// Kills the tool when it waits and the journal of its recording is in a folder, and waits for its end.
    package func killWhenJournaled(in folder: TemporaryDirectory) throws {
        _ = waitUntilReady()
        // The journal is written after the answer, and later on a busy machine.
        let deadline = Deadline(after: 20)
        func hasInteraction(_ file: String) -> Bool {
            // The first line is there as soon as the file.
            let text = (try? Data(contentsOf: folder[file])) ?? Data()
            return file.hasSuffix(".journal") && text.count { $0 == UInt8(ascii: "\n") } > 1
        }
        while !folder.files.contains(where: hasInteraction), !deadline.isOver {
            Thread.sleep(forTimeInterval: 0.01)
        }
        send(SIGKILL)
        _ = try end()
    }

    /// Waits until the tool prints `READY`.
    /// - Returns: What it printed.
    package func waitUntilReady() -> String {
        var text = ""
        while !text.contains("READY\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }

    /// Sends a signal.
    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Launches the tool and waits for its end.
    package static func run(
        _ arguments: [String],
        _ environment: [String: String],
        in directory: URL? = nil
    ) throws -> End {
        try WeatherProcess(arguments, environment, in: directory).end()
    }
}
