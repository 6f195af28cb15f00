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
    /// The words of the call are off.
    package static let usage = ExitStatus(code: 64)
}
