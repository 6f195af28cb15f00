import Foundation

/// A setting that cannot be followed.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// A word that is no recording mode.
    case unknownMode(String, variable: String)
    /// No project was found above a source or a folder.
    case noProjectRoot(above: String)
    /// No project was found by what the process of a test tells.
    case noTestProject(workingDirectory: String, testBundle: String, problem: String?)
    /// A cassette's name that leads out of the folder of the cassettes.
    case nameLeadsOutside(String)
    /// A cassette's name that recordings of failed tests or of runs that ended too early have.
    case nameIsReserved(String)
    /// A part of a request to be ignored that cannot be read.
    case unreadableMatching(String, cause: String)
    /// A rule of the redaction that cannot be read.
    case unreadableRedaction(String)
    /// The manifest that `REWIND_MANIFEST` names cannot be written.
    case unwritableManifest(String, cause: String)
}

extension ConfigurationError: LocalizedError, CustomStringConvertible {
    /// What is wrong and how to fix it.
    public var description: String {
        switch self {
        case .unknownMode(let name, let variable):
            "\(variable)=\(name) is no recording mode. The modes are "
                + RecordingMode.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .noProjectRoot(let place):
            Self.noProject("in \(place) and the folders above it")
                + " Name their folder, `in: CassetteDirectory.beside(#filePath)`, or set"
                + " \(Environment.Variable.cassettes.rawValue)."
        case .noTestProject(let workingDirectory, let testBundle, let problem):
            Self.noProject("above the working directory \(workingDirectory) and the test bundle \(testBundle)")
                + (problem.map { " \($0)" } ?? "") + " Name their folder in the test class:"
                + " `override var cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }`, or set"
                + " \(Environment.Variable.cassettes.rawValue). For a device, which has no sources, add the folder"
                + " Cassettes to the resources of the test target."
        case .nameLeadsOutside(let name):
            "The cassette name \(name.debugDescription) leads out of the folder of the cassettes. Use a name without"
                + " `..` that does not begin with a slash."
        case .unreadableMatching(let code, let cause):
            "The configuration leaves out \(code), which cannot be read: \(cause)"
        case .unreadableRedaction(let cause):
            "The configuration has a rule of redaction that cannot be followed: \(cause)"
        case .unwritableManifest(let path, let cause):
            "\(Environment.Variable.manifest.rawValue) names the manifest \(path), which cannot be written: \(cause)."
                + " Check that its folder exists, has room and may be written to, or unset the variable."
        case .nameIsReserved(let name):
            "The cassette name \(name.debugDescription) ends in `.failed` or `.recovered`, as recordings of failed tests and"
                + " of runs that ended too early do, and would be overwritten by one. Use another name."
        }
    }

    private static func noProject(_ places: String) -> String {
        "Rewind looked for a Package.swift, an Xcode project or workspace, or a git repository \(places), and found none,"
            + " so it does not know where the cassettes are."
    }

    /// What is wrong and how to fix it.
    public var errorDescription: String? { description }
}
