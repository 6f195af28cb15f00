import Foundation

extension Stubber {
    /// An invalid setting: a mode, a cassette name, a folder, a matcher or a redaction rule.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// An environment variable does not contain the name of a recording mode.
        case unknownMode(String, variable: String)
        /// No project was found above any of these source files and folders, so the folder of the cassettes is unknown.
        case noProject(above: [String])
        /// The name of a cassette leads out of the folder of the cassettes, or ends in `.failed` or `.recovered`.
        case invalidCassetteName(String)
        /// Swift Testing hides the arguments of a parameterized test, so its cases cannot be named.
        case hiddenArguments(test: String)
        /// A part that a matcher ignores is invalid.
        case invalidMatcher(String, cause: String)
        /// A redaction rule is invalid.
        case invalidRedaction(String)
        /// The file that `REWIND_MANIFEST` names cannot be written.
        case unwritableManifest(String, cause: String)
        /// The file or folder that `REWIND_REPORT` names cannot be written.
        case unwritableReport(String, cause: String)
    }
}

extension Stubber.ConfigurationError: LocalizedError, CustomStringConvertible {
    /// What is invalid and how to fix it.
    public var description: String { message }

    /// What is invalid.
    public var errorDescription: String? {
        switch self {
        case .unknownMode(let name, let variable): "Invalid value '\(name)' for \(variable)."
        case .noProject(let places): "No project found above \(places.joined(separator: " or "))."
        case .invalidCassetteName(let name): "Invalid cassette name '\(name)'."
        case .hiddenArguments(let test):
            "This version of Swift Testing hides the arguments of \(test), so its cassettes cannot be named."
        case .invalidMatcher(let code, let cause): "Invalid matcher \(code): \(cause.withoutFullStop)."
        case .invalidRedaction(let cause): "Invalid redaction rule: \(cause.withoutFullStop)."
        case .unwritableManifest(let path, let cause):
            "The manifest \(path) cannot be written: \(cause.withoutFullStop)."
        case .unwritableReport(let path, let cause):
            "The report \(path) cannot be written: \(cause.withoutFullStop)."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .unknownMode:
            "Use one of the modes: " + RecordingMode.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .noProject:
            "Rewind looks for a Package.swift, an Xcode project or workspace, or a git repository. Name the folder of the"
                + " cassettes: `in: CassetteDirectory.beside(#filePath)`, or in a test class `override var"
                + " cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }`. Or set"
                + " \(Environment.Variable.cassettes.rawValue). On a device, add the folder Cassettes to the resources of"
                + " the test target."
        case .invalidCassetteName:
            "Use a name without `..` that does not begin with a slash, and does not end in `.failed` or `.recovered`, which"
                + " belong to recordings that Rewind stores beside a cassette."
        case .hiddenArguments: "Call `withCassette(name) { … }` in the test instead of using the trait."
        case .invalidMatcher: "Fix it in `configuration.matching`."
        case .invalidRedaction(let cause):
            cause.contains(RulesFileName.text + ":")
                ? "Write `redact header:NAME`, `redact field:NAME`, `redact path:JSONPATH`, `redact pattern:REGEX`, `keep NAME`"
                    + " or `allow FINGERPRINT`. A line that begins with `#` is a comment."
                : "Fix it in `configuration.redaction`."
        case .unwritableManifest:
            "Check that the folder exists, is writable and has free space, or unset"
                + " \(Environment.Variable.manifest.rawValue)."
        case .unwritableReport:
            "Check that the folder exists, is writable and has free space, or unset"
                + " \(Environment.Variable.report.rawValue)."
        }
    }
}
