import Foundation
import Rewind
import RewindTestSupport
import Testing

/// The built command, run to its end as a user runs it.
struct CommandRun: Sendable {
    /// The exit status.
    let status: Int32
    /// What it printed on standard output, as bytes.
    let data: Data
    /// What it printed on standard error.
    let complaints: String

    /// What it printed on standard output, as text.
    var output: String { String(decoding: data, as: UTF8.self) }

    /// Runs the command.
    /// - Parameters:
    ///   - arguments: The words after its name.
    ///   - input: What it reads from standard input; nothing by default.
    ///   - environment: Variables in addition to those of this process, whose own settings of Rewind are left out.
    ///   - directory: The working directory.
    /// - Throws: What launching it throws.
    init(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        in directory: URL
    ) throws {
        let scratch = try TemporaryDirectory()
        try input.write(to: scratch["input"])
        let names = (output: scratch["output"], complaints: scratch["complaints"])
        for file in [names.output, names.complaints] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        let own = Set(Environment.Variable.allCases.map(\.rawValue))
        process.environment = ProcessInfo.processInfo.environment.filter { !own.contains($0.key) }
            .merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: scratch["input"])
        process.standardOutput = try FileHandle(forWritingTo: names.output)
        process.standardError = try FileHandle(forWritingTo: names.complaints)
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        data = try Data(contentsOf: names.output)
        complaints = String(decoding: try Data(contentsOf: names.complaints), as: UTF8.self)
    }

    /// The built command.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("rewind")
}

/// Compares a text with the one that is kept in `Golden`; with `WRITE_GOLDEN` set it is written there.
/// - Parameters:
///   - text: The text.
///   - name: The name of the file in `Golden`, with folder and extension.
///   - location: The place of the call.
/// - Throws: What reading the file throws.
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
    /// The characters in it, line feeds excepted, that a terminal would obey.
    var obeyedCharacters: [Unicode.Scalar] {
        unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
