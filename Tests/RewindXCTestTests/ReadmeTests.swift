import Foundation
import Rewind
import XCTest

/// What the README lists is all that there is; its code is compiled in `DocumentationTests`.
final class ReadmeTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

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
