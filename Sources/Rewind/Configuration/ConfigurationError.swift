import Foundation

extension Stubber {
    /// An invalid setting: a mode, a cassette name, a folder, a matcher or a redaction rule.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// An environment variable does not contain the name of a recording mode.
        case unknownMode(String, variable: String)
        /// No project was found above a source file or a folder.
        case noProjectRoot(above: String)
        /// No project was found for the running test.
        case noTestProject(workingDirectory: String, testBundle: String, problem: String?)
        /// The name of a cassette leads out of the folder of the cassettes.
        case nameLeadsOutside(String)
        /// The name of a cassette ends in `.failed` or `.recovered`.
        case nameIsReserved(String)
        /// Swift Testing hides the arguments of a parameterized test, so its cases cannot be named.
        case hiddenArguments(test: String)
        /// A part that a matcher ignores is invalid.
        case invalidMatcher(String, cause: String)
        /// A redaction rule is invalid.
        case invalidRedaction(String)
        /// The file that `REWIND_MANIFEST` names cannot be written.
        case unwritableManifest(String, cause: String)
    }
}

extension Stubber.ConfigurationError: LocalizedError, CustomStringConvertible {
    /// What is invalid and how to fix it.
    public var description: String { message }

    /// What is invalid.
    public var errorDescription: String? {
        switch self {
        case .unknownMode(let name, let variable): "Invalid value '\(name)' for \(variable)."
        case .noProjectRoot(let place): "No project found in \(place) or the folders above it."
        case .noTestProject(let workingDirectory, let testBundle, let problem):
            "No project found above the working directory \(workingDirectory) or the test bundle \(testBundle)."
                + (problem.map { " \($0)" } ?? "")
        case .nameLeadsOutside(let name):
            "The cassette name '\(name)' leads out of the folder of the cassettes."
        case .nameIsReserved(let name): "The cassette name '\(name)' is reserved."
        case .hiddenArguments(let test):
            "This version of Swift Testing hides the arguments of \(test), so its cassettes cannot be named."
        case .invalidMatcher(let code, let cause): "Invalid matcher \(code): \(cause.withoutFullStop)."
        case .invalidRedaction(let cause): "Invalid redaction rule: \(cause.withoutFullStop)."
        case .unwritableManifest(let path, let cause):
            "The manifest \(path) cannot be written: \(cause.withoutFullStop)."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        let cassettes = Environment.Variable.cassettes.rawValue
        let projects = "Rewind looks for a Package.swift, an Xcode project or workspace, or a git repository."
        return switch self {
        case .unknownMode:
            "Use one of the modes: " + RecordingMode.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .noProjectRoot:
            projects
                + " Name the folder of the cassettes with `in: CassetteDirectory.beside(#filePath)`, or set \(cassettes)."
        case .noTestProject:
            projects + " Name the folder of the cassettes in the test class with"
                + " `override var cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }`, or set \(cassettes). On a"
                + " device, add the folder Cassettes to the resources of the test target."
        case .nameLeadsOutside: "Use a name without `..` that does not begin with a slash."
        case .nameIsReserved:
            "Names that end in `.failed` or `.recovered` belong to recordings that Rewind stores beside a cassette. Use"
                + " another name."
        case .hiddenArguments: "Call `withCassette(name) { … }` in the test instead of using the trait."
        case .invalidMatcher: "Fix it in `configuration.matching`."
        case .invalidRedaction: "Fix it in `configuration.redaction`."
        case .unwritableManifest:
            "Check that the folder exists, is writable and has free space, or unset"
                + " \(Environment.Variable.manifest.rawValue)."
        }
    }
}
