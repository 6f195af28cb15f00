import Foundation
import Rewind
import XCTest

/// A failure that is recorded at the test, and not where this library noticed it.
struct TestFailure {
    private let message: String
    private let test: TestName

    init(_ message: String, of test: TestName) {
        self.message = message
        self.test = test
    }

    /// Records the failure. Apple's XCTest knows where a test is; elsewhere its source is looked for.
    func record(on testCase: XCTestCase) {
        #if canImport(ObjectiveC)
            testCase.record(XCTIssue(type: .assertionFailure, compactDescription: message))
        #else
            let place = SourceOfTest(test).place
            testCase.recordFailure(
                withDescription: "failed - \(message)",
                inFile: place?.file ?? "\(test)",
                atLine: place?.line ?? 0,
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
        guard let root = CassetteDirectory.packageRoot(above: FileManager.default.currentDirectoryPath) else {
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
