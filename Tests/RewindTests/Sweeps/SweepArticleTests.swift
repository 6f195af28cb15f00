import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The messages in the article on sweeps are those of its app.
final class SweepArticleTests: SweepTestCase {
    private struct Order: Decodable { let id: Int }

    private static func orders() async throws -> [Order] {
        while true {
            let url = try XCTUnwrap(URL(string: "https://example.com/orders"))
            let (data, response) = try await URLSession.shared.data(from: url)
            if (response as? HTTPURLResponse)?.statusCode == 503 {
                try await Task.sleep(for: .milliseconds(1))
                continue
            }
            return try JSONDecoder().decode([Order].self, from: data)
        }
    }

    private static func article() throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Rewind/Rewind.docc/Sweeps.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    override func setUpWithError() throws {
        try super.setUpWithError()
        let orders = #"[{"id": 1, "note": "x"}]"#
        let json: HeaderList = ["Content-Type": "application/json"]
        try Cassette(interactions: [
            .succeeded(url: "https://example.com/orders", text: orders, headers: json)
        ]).write(to: folder["orders.har"])
    }

    func testTheSpinnerIsFound() async throws {
        let text = await message {
            try await scope(name: "orders") { _ in
                try await Stubber.sweep(.faults, timeLimit: .milliseconds(300)) { _ in
                    _ = try? await Self.orders()
                }
            }
        }
        let lines = text.replacingOccurrences(of: "0.3 seconds", with: "5.0 seconds").split(separator: "\n")
        let article = try Self.article()
        XCTAssertEqual(lines.count, 5, text)
        for line in lines.prefix(3) { XCTAssertTrue(article.contains("\n\(line)\n"), "\(line)") }
        XCTAssertTrue(lines[3].hasPrefix("      REWIND_SWEEP=fault-1-status-503 swift test"), text)
    }

    func testTheReportIsThatOfTheArticle() async throws {
        let report = try await scope(name: "orders") { _ in
            try await Stubber.sweep(.fields) { _ in _ = try await Self.orders() }
        }
        XCTAssertTrue(try Self.article().contains("\n\(report)\n"), "\(report)")
    }

    func testEachFaultIsInTheTable() throws {
        let article = try Self.article()
        for fault in Stubber.Sweep.Fault.allCases {
            XCTAssertTrue(article.contains("`\(fault.rawValue)`"), fault.rawValue)
        }
    }
}
