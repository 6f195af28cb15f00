import Foundation
import Rewind
import Testing

/// Records an issue for each request of a launched process that its cassette did not answer.
///
/// ```swift
/// @Test func forecast() throws {
///     let cassette = try ProcessCassette("forecast")
///     …
///     process.waitUntilExit()
///     expectReplayed(cassette)
/// }
/// ```
///
/// The process must have ended. It is also an issue if no process wrote a report, and if a recording was not saved.
///
/// An app under UI test ends when the test terminates it, or by itself.
/// - Parameters:
///   - cassette: The cassette whose `environment` the process received.
///   - unplayed: Whether recorded interactions that no process played are an issue too; `false` by default.
///   - sourceLocation: The place of the issues; the call by default.
public func expectReplayed(
    _ cassette: ProcessCassette,
    unplayed: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for problem in cassette.problems(unplayed: unplayed) {
        Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
    }
}
