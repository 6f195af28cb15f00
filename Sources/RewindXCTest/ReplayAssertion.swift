import Foundation
import Rewind
import XCTest

/// Fails the test for each request of a launched process that its cassette did not answer.
///
/// ```swift
/// func testBasket() throws {
///     let cassette = try ProcessCassette("basket")
///     …
///     app.terminate()
///     XCTAssertReplayed(cassette)
/// }
/// ```
///
/// The process must have ended. The test also fails if no process wrote a report, and if a recording was not saved.
///
/// An app under UI test ends when the test terminates it, or by itself.
/// - Parameters:
///   - cassette: The cassette whose `environment` the process received.
///   - unplayed: Whether the test also fails for recorded interactions that no process played; `false` by default.
///   - file: The file of the failures; the calling file by default.
///   - line: The line of the failures; the calling line by default.
public func XCTAssertReplayed(
    _ cassette: ProcessCassette,
    unplayed: Bool = false,
    file: StaticString = #filePath,
    line: UInt = #line
) {
    for problem in cassette.problems(unplayed: unplayed) { XCTFail(problem, file: file, line: line) }
}
