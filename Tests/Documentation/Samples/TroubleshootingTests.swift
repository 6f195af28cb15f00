import Foundation
import XCTest

/// The messages that the documentation explains are those that the code gives.
final class TroubleshootingTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    func testEveryMessageIsOneOfTheCode() throws {
        let code = try code()
        let messages =
            try messages(in: "README.md") + messages(in: "Sources/Rewind/Rewind.docc/Troubleshooting.md")
        XCTAssertGreaterThan(messages.count, 30)
        for message in messages {
            for part in message.components(separatedBy: "…") {
                let part = part.trimmingCharacters(in: .whitespaces)
                XCTAssertTrue(part.isEmpty || code.contains(part), "No message says: \(part)")
            }
        }
    }

    func testEveryMissIsListed() throws {
        let patterns = try messages(in: "Sources/Rewind/Rewind.docc/Troubleshooting.md").map { message in
            message.components(separatedBy: "…").map(NSRegularExpression.escapedPattern).joined(separator: ".+")
        }
        let folder = root.appendingPathComponent("Tests/RewindTests/Matching/Misses")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        XCTAssertGreaterThan(files.count, 20)
        for file in files {
            // A long headline continues on the next line.
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let headline = lines.prefix { !$0.hasPrefix("  ") }.joined(separator: " ")
            let isListed = patterns.contains { pattern in
                headline.range(of: "^\(pattern)$", options: .regularExpression) != nil
            }
            XCTAssertTrue(isListed, "Troubleshooting does not list: \(headline)")
        }
    }

    /// The first column of the tables of messages, in which `…` matches what varies.
    private func messages(in document: String) throws -> [Substring] {
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        let tables = text.components(separatedBy: "message | ").dropFirst()
        return tables.flatMap { table in
            table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
                .prefix { !$0.isEmpty }.filter { $0.hasPrefix("| `") }
                .map { $0.dropFirst(3).prefix { $0 != "`" } }
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
