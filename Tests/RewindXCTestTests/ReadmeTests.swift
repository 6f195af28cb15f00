import Foundation
import Rewind
import XCTest

/// What the README lists is all that there is; its code is compiled in `DocumentationTests`.
final class ReadmeTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    func testItsTablesNameEveryModeAndEveryVariable() throws {
        let readme = try text("README.md")
        for mode in RecordingMode.allCases {
            XCTAssertTrue(readme.contains("| `\(mode.rawValue)` |"), mode.rawValue)
        }
        for variable in Environment.Variable.allCases where variable != .noColor {
            XCTAssertTrue(readme.contains("| `\(variable.rawValue)` |"), variable.rawValue)
        }
    }

    func testTheArticlesNameThemAsWell() throws {
        let modes = try text("Sources/Rewind/Rewind.docc/RecordingModes.md")
        for mode in RecordingMode.allCases {
            XCTAssertTrue(modes.contains("\n| `\(mode.rawValue)`"), mode.rawValue)
        }
        let variables = try text("Sources/Rewind/Rewind.docc/EnvironmentVariables.md")
        for variable in Environment.Variable.allCases {
            XCTAssertTrue(variables.contains("\n| `\(variable.rawValue)` |"), variable.rawValue)
        }
    }

    func testItIsShort() throws {
        let lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        XCTAssertLessThan(lines.count, 400)
    }

    private func text(_ document: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    }
}
