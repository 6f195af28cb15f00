import Foundation
import Rewind
import XCTest

/// A failure that is recorded at the test, and not where this library noticed it.
struct TestFailure {
    private let message: String
    private let test: TestName
    private let place: StubPlace?

    init(_ message: String, of test: TestName, at place: StubPlace? = nil) {
        self.message = message
        self.test = test
        self.place = place
    }

    /// Records the failure, at a line of the test's own where there is one.
    ///
    /// Apple's XCTest knows where a test is; elsewhere its source is looked for.
    func record(on testCase: XCTestCase) {
        #if canImport(ObjectiveC)
            var issue = XCTIssue(type: .assertionFailure, compactDescription: message)
            if let place {
                let location = XCTSourceCodeLocation(filePath: "\(place.filePath)", lineNumber: Int(place.line))
                issue.sourceCodeContext = XCTSourceCodeContext(location: location)
            }
            testCase.record(issue)
        #else
            let place = place.map { ("\($0.filePath)", Int($0.line)) } ?? SourceOfTest(test).place
            testCase.recordFailure(
                withDescription: "failed - \(message)",
                inFile: place?.0 ?? "\(test)",
                atLine: place?.1 ?? 0,
                expected: true
            )
        #endif
    }
}

/// Finds the line of a test's source among the tests of the package.
struct SourceOfTest {
    private let test: TestName

    init(_ test: TestName) {
        self.test = test
    }

    /// The file and line of the method, where one file has both its class and the method.
    var place: (file: String, line: Int)? {
        guard let root = ProjectRoot.above(FileManager.default.currentDirectoryPath) else {
            return nil
        }
        let folder = root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            guard let text = try? String(contentsOf: file, encoding: .utf8),
                text.contains("class \(test.testClass):"), let line = line(in: text)
            else { continue }
            return (file.path, line)
        }
        return nil
    }

    private func line(in text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.firstIndex { $0.contains("func \(test.method)(") }.map { $0 + 1 }
    }
}
