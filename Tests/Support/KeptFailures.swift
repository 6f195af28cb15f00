import Foundation
import Rewind

/// Records with `withCassette`. A recording in which no request got an answer is kept as the message of its error says:
/// the test renames the file.
package func recordingFailures<Result>(
    _ name: String = "talk",
    in folder: URL,
    mode: RecordingMode = .once,
    configuration: Stubber.Configuration = Stubber.Configuration(),
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Stubber) async throws -> Result
) async throws -> Result {
    var result: Result?
    do {
        try await withCassette(name, in: folder, mode: mode, configuration: configuration) { stubber in
            result = try await body(stubber)
        }
    } catch let error as Stubber.ScopeError {
        try keepFailures(of: error)
    }
    guard let result else { throw CancellationError() }
    return result
}

/// Renames the recording of a test in which no request got an answer; throws any other error.
package func keepFailures(of error: Stubber.ScopeError) throws {
    guard case .noAnswers(_, let path) = error else { throw error }
    let cassette = URL(fileURLWithPath: path)
    let failed = cassette.deletingPathExtension().appendingPathExtension("failed.har")
    try FileManager.default.moveItem(at: failed, to: cassette)
}
