import Foundation
import Rewind
import XCTest

/// What the README lists is complete; its code is compiled in `DocumentationTests`.
final class ReadmeTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    func testItsTablesNameEveryModeAndEveryVariable() throws {
        let readme = try text("README.md")
        for mode in RecordingMode.allCases {
            XCTAssertTrue(readme.contains("| `\(mode.rawValue)` |"), mode.rawValue)
        }
        // Only one article is about those that a test sets for another process.
        let others: [Environment.Variable] = [.noColor, .cassette, .report]
        for variable in Environment.Variable.allCases where !others.contains(variable) {
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

    func testItHasAtMost250Lines() throws {
        XCTAssertLessThanOrEqual(
            try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count,
            251
        )
    }

    func testThePackageURLIsInOnePlace() throws {
        for document in ["README.md", "Sources/Rewind/Rewind.docc/GettingStarted.md"] {
            XCTAssertEqual(try text(document).components(separatedBy: ".package(url:").count, 2, document)
        }
    }

    func testTheIgnoredFilesAreThoseThatRecordingsLeave() throws {
        let cassette = CassetteLocation(URL(fileURLWithPath: "/Cassettes/a.har"))
        let left = [cassette.failedRecording, cassette.recoveredRecording]
        for document in ["README.md", "Sources/Rewind/Rewind.docc/GettingStarted.md"] {
            let lines = try text(document).split(separator: "\n")
            for file in left {
                // The archive and the folder of its bodies.
                let name = file.deletingPathExtension().lastPathComponent.dropFirst()
                XCTAssertTrue(lines.contains("*\(name).*"), document)
            }
            for name in ["*.\(cassette.refusedRecording.pathExtension)", "*.journal", ".rewind-*.tmp"] {
                XCTAssertTrue(lines.contains(Substring(name)), "\(document) does not list \(name)")
            }
        }
    }

    func testThePackageHasNoDependencies() throws {
        let manifest = try text("Package.swift")
        XCTAssertFalse(manifest.contains(".package("))
        XCTAssertTrue(manifest.hasPrefix("// swift-tools-version: 6.1\n"))
    }

    private func text(_ document: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    }
}
