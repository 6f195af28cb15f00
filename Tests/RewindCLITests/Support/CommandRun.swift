import Foundation
import Rewind
import RewindTestSupport
import Testing

/// A finished run of the built command.
struct CommandRun: Sendable {
    /// The exit status.
    let status: Int32
    /// The bytes of standard output.
    let data: Data
    /// The text of standard error.
    let errorOutput: String

    /// The text of standard output.
    var output: String { String(decoding: data, as: UTF8.self) }

    /// Runs the command.
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - input: The standard input; empty by default.
    ///   - environment: Variables to add to those of this process, without Rewind's own variables.
    ///   - directory: The working directory.
    /// - Throws: The error of launching it.
    init(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        in directory: URL
    ) throws {
        let scratch = try TemporaryDirectory()
        try input.write(to: scratch["input"])
        let names = (output: scratch["output"], errorOutput: scratch["errorOutput"])
        for file in [names.output, names.errorOutput] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        let own = Set(Environment.Variable.allCases.map(\.rawValue))
        process.environment = ProcessInfo.processInfo.environment.filter { !own.contains($0.key) }
            .merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: scratch["input"])
        process.standardOutput = try FileHandle(forWritingTo: names.output)
        process.standardError = try FileHandle(forWritingTo: names.errorOutput)
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        data = try Data(contentsOf: names.output)
        errorOutput = String(decoding: try Data(contentsOf: names.errorOutput), as: UTF8.self)
    }

    /// The built command.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("rewind")
}

/// Compares a text with a file in `Golden`. With `WRITE_GOLDEN` set, the file is written first.
/// - Parameters:
///   - text: The text.
///   - name: The path of the file in `Golden`.
///   - location: The source location of the call.
/// - Throws: An error if the file cannot be read or written.
func expectGolden(_ text: String, _ name: String, at location: SourceLocation = #_sourceLocation) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Golden").appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == golden, "see Golden/\(name)", sourceLocation: location)
}

extension String {
    /// The control characters in the text, except line feeds.
    var controlCharacters: [Unicode.Scalar] {
        unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
