import Foundation

/// The environment variables that Rewind reads.
///
/// | variable | meaning |
/// |---|---|
/// | `REWIND_MODE` | the recording mode; it overrides the mode in the code |
/// | `REWIND_CASSETTES` | the folder of the cassettes, instead of `Cassettes` at the root of the project |
/// | `REWIND_MANIFEST` | a file to which a test run appends what it played, for `rewind prune` |
/// | `REWIND_CASSETTE` | the cassette of the whole process, for ``Stubber/activateFromEnvironment(configuration:)`` |
/// | `REWIND_REPORT` | the file or folder to which such a process writes what it played, recorded and missed |
/// | `REWIND_LOG` | unless `0`, `false`, `no` or empty: prints a line for each decision on standard error |
/// | `REWIND_SWEEP` | the variations of a sweep to run, and `keep` or `accept` |
/// | `CI` | unless `0`, `false`, `no` or empty: the default mode is `never` |
/// | `NO_COLOR` | if set: the command prints without color |
///
/// ``CassetteSearch`` also reads where Xcode built the tests. `xcodebuild` passes variables whose names begin with
/// `TEST_RUNNER_` to the tests, without that prefix.
package struct Environment: Sendable {
    package enum Variable: String, Sendable, CaseIterable {
        case mode = "REWIND_MODE"
        case cassettes = "REWIND_CASSETTES"
        case manifest = "REWIND_MANIFEST"
        case cassette = "REWIND_CASSETTE"
        case report = "REWIND_REPORT"
        case log = "REWIND_LOG"
        case sweep = "REWIND_SWEEP"
        case continuousIntegration = "CI"
        case noColor = "NO_COLOR"
    }

    private let values: [String: String]

    package init(_ values: [String: String]) { self.values = values }

    /// The variables of this process at the time of the call.
    package static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    package func only(_ variable: Variable) -> Environment {
        Environment(values.filter { $0.key == variable.rawValue })
    }

    package subscript(variable: Variable) -> String? {
        guard let value = values[variable.rawValue], !value.isEmpty else { return nil }
        return value
    }

    /// Whether Xcode or `xcodebuild` runs the tests. Only they set this variable.
    package var isXcode: Bool { values[Self.xcodeVariable] != nil }
    /// The folders of products that Xcode built.
    package static let xcodeVariable = "__XCODE_BUILT_PRODUCTS_DIR_PATHS"

    /// Whether `CI` is set and its value is not `0`, `false` or `no`.
    package var isContinuousIntegration: Bool { means(.continuousIntegration) }
    package var logsDecisions: Bool { means(.log) }

    private func means(_ variable: Variable) -> Bool {
        guard let value = self[variable] else { return false }
        return !["0", "false", "no"].contains(value.lowercased())
    }
}

package enum Note {
    /// Receives each note. A structure, because optimized builds crash where the value of a task is a function.
    package struct Reader: Sendable {
        fileprivate let receive: @Sendable (String) -> Void
    }

    /// Standard error by default, which may be closed.
    @TaskLocal package static var reader = Reader(receive: { line in
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    })

    /// Gives the notes of an operation to a closure.
    package static func withReader<Result>(
        _ receive: @escaping @Sendable (String) -> Void,
        operation: () throws -> Result
    ) rethrows -> Result { try $reader.withValue(Reader(receive: receive), operation: operation) }

    /// Gives the notes of an asynchronous operation to a closure.
    package static func withReader<Result>(
        _ receive: @escaping @Sendable (String) -> Void,
        isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        try await $reader.withValue(Reader(receive: receive), operation: operation, isolation: isolation)
    }

    /// Prints a note, without anything that looks like a credential.
    package static func print(_ text: String) {
        reader.receive("Rewind: \(PrintedText.withoutCredentials(text))\n")
    }
}
