import Foundation
import XCTest

/// The messages that the documentation explains are those that the code gives.
final class TroubleshootingTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    func testEveryMessageIsOneOfTheCode() throws {
        let article = root.appendingPathComponent("Docs/Rewind.docc/Troubleshooting.md")
        let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        XCTAssertGreaterThan(rows.count, 20)
        let code = try code()
        for row in rows {
            let message = row.components(separatedBy: " | ")[0].dropFirst(2)
            for part in message.components(separatedBy: "`") where part.count > 5 {
                XCTAssertTrue(code.contains(part), "No message says: \(part)")
            }
        }
    }

    /// The sources of the modules that tests use, as one text.
    private func code() throws -> String {
        let folders = ["Rewind", "RewindXCTest", "RewindTesting"].map {
            root.appendingPathComponent("Sources/\($0)")
        }
        let files = folders.flatMap {
            FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil)?.allObjects ?? []
        }
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }
}
