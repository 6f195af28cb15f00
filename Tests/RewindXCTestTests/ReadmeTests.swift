import Foundation
import Rewind
import XCTest

/// What the README shows is what is compiled and run.
final class ReadmeTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    func testEverySampleIsCompiled() throws {
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try ["RewindXCTestTests", "RewindTestingTests"].map { module in
            let file = root.appendingPathComponent("Tests/\(module)/ReadmeSamples.swift")
            return try String(contentsOf: file, encoding: .utf8)
        }.joined()
        let samples = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        XCTAssertGreaterThan(samples.count, 3)
        for sample in samples where !sample.hasPrefix(".package") {
            for line in sample.split(separator: "\n") where line.trimmingCharacters(in: .whitespaces) != "}" {
                XCTAssertTrue(
                    source.contains(line.trimmingCharacters(in: .whitespaces)),
                    "\(line) is not compiled"
                )
            }
        }
    }

    func testItsTablesNameEveryModeAndEveryVariable() throws {
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        for mode in RecordingMode.allCases {
            XCTAssertTrue(readme.contains("| `\(mode.rawValue)` |"), mode.rawValue)
        }
        for variable in Environment.Variable.allCases where variable != .noColor {
            XCTAssertTrue(readme.contains("| `\(variable.rawValue)` |"), variable.rawValue)
        }
    }
}
