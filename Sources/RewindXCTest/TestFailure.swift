import Foundation
import Rewind
import XCTest

/// A failure that is recorded at the test, and not where this library noticed it.
struct TestFailure {
    /// A line of a source.
    struct Place: Sendable {
        let file: String
        let line: Int
    }

    private let message: String
    private let test: TestName
    private let place: Place?

    init(_ message: String, of test: TestName, at place: Place?) {
        self.message = message
        self.test = test
        self.place = place
    }

    /// Records the failure; on any thread, as neither platform's XCTest finds a line for it.
    func record(on testCase: XCTestCase) {
        #if canImport(ObjectiveC)
            let location = place.map { XCTSourceCodeLocation(filePath: $0.file, lineNumber: $0.line) }
            testCase.record(
                XCTIssue(
                    type: .assertionFailure,
                    compactDescription: message,
                    sourceCodeContext: XCTSourceCodeContext(location: location)
                )
            )
        #else
            testCase.recordFailure(
                withDescription: "failed - \(message)",
                inFile: place?.file ?? "\(test)",
                atLine: place?.line ?? 0,
                expected: true
            )
        #endif
    }
}
