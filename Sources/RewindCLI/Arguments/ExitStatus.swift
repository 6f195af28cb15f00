import Rewind

/// What the command ends with, in the numbers of sysexits.
package struct ExitStatus: Hashable, Sendable {
    /// The number.
    package let code: Int32

    /// Creates the status of a command that was run.
    package init(code: Int32) {
        self.code = code
    }

    /// All is well.
    package static let success = ExitStatus(code: 0)
    /// It found something, or could not do its work.
    package static let failure = ExitStatus(code: 1)
    /// A cassette, or a manifest, cannot be read.
    package static let badData = ExitStatus(code: 65)
    /// The words of the call are off.
    package static let usage = ExitStatus(code: 64)

    /// The status of a subcommand that could not go on.
    init(of error: any Error) {
        switch error {
        case is UsageError: self = .usage
        case is CassetteError, is ManifestError: self = .badData
        default: self = .failure
        }
    }

    /// The status of two things together: that of the one that is worse.
    func and(_ other: ExitStatus) -> ExitStatus {
        other.code > code ? other : self
    }
}
