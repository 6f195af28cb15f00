import Foundation

/// The environment variables that Rewind reads, all of them.
///
/// | variable | meaning |
/// |---|---|
/// | `REWIND_MODE` | the recording mode, over whatever the code says |
/// | `REWIND_CASSETTES` | the folder of the cassettes, in place of `Cassettes` at the root of the project |
/// | `REWIND_MANIFEST` | a file to which a run of tests adds what it played, for `rewind prune` |
/// | `REWIND_LOG` | set to anything but `0`, `false` or `no`: a line on standard error for each decision |
/// | `CI` | set to anything but `0`, `false` or `no`: the default mode is `never` |
/// | `NO_COLOR` | set: the command prints without colour |
///
/// Beside them it reads where Xcode built the tests (``CassetteSearch``).
///
/// Under `xcodebuild` the names take the prefix `TEST_RUNNER_`, which it takes off.
package struct Environment: Sendable {
    package enum Variable: String, Sendable, CaseIterable {
        case mode = "REWIND_MODE"
        case cassettes = "REWIND_CASSETTES"
        case manifest = "REWIND_MANIFEST"
        case log = "REWIND_LOG"
        case continuousIntegration = "CI"
        case noColor = "NO_COLOR"
    }

    private let values: [String: String]

    package init(_ values: [String: String]) { self.values = values }

    /// The variables of this process, as they are now.
    package static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    package func only(_ variable: Variable) -> Environment {
        Environment(values.filter { $0.key == variable.rawValue })
    }

    package subscript(variable: Variable) -> String? {
        guard let value = values[variable.rawValue], !value.isEmpty else { return nil }
        return value
    }

    /// Whether `CI` is set to anything but a word that means no.
    package var isContinuousIntegration: Bool { means(.continuousIntegration) }
    package var logsDecisions: Bool { means(.log) }

    private func means(_ variable: Variable) -> Bool {
        guard let value = self[variable] else { return false }
        return !["0", "false", "no"].contains(value.lowercased())
    }
}

package enum Note {
    /// Where notes go: standard error, unless a test reads them.
    @TaskLocal package static var reader: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data(line.utf8))
    }

    package static func print(_ text: String) { reader("Rewind: \(text)\n") }
}
