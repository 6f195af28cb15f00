import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Compares every call and outcome without Rewind, while recording, and on replay.
final class ThreeWayTests: XCTestCase {
    /// The article that lists the comparisons.
    private static let article = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent(
            "../../../Sources/Rewind/Rewind.docc/WhatWasCompared.md"
        )

    func testEveryCallBehavesAsWithoutRewind() async throws {
        // The name of a conversation, to run it alone.
        let only = ProcessInfo.processInfo.environment["REWIND_FIDELITY_ONLY"]
        var table = FidelityTable()
        let pairs = Conversation.all.filter { only == nil || $0.name == only }.flatMap { conversation in
            conversation.calls.map { (conversation, $0) }
        }
        // Most of the time they wait for the server, so many of them run at once.
        for start in stride(from: 0, to: pairs.count, by: 48) {
            let some = Array(pairs[start..<min(start + 48, pairs.count)])
            for three in try await ThreeWay.run(some) { check(three, &table) }
        }
        guard only == nil else { return }
        if ProcessInfo.processInfo.environment["REWIND_FIDELITY_WRITE"] != nil {
            try Data(table.article.utf8).write(to: Self.article)
        }
        let written = try String(contentsOf: Self.article, encoding: .utf8)
        XCTAssertEqual(
            written,
            table.article,
            "the article is out of date: run Tests/Integration/fidelity.sh --write"
        )
    }

    private func check(_ three: ThreeWay, _ table: inout FidelityTable) {
        let differences = three.differences
        table.add(three)
        guard !differences.isEmpty, three.conversation.deliberateDifference(of: three.call) == nil else {
            return
        }
        XCTFail("\(three.conversation.name) (\(three.call)):\n" + differences.joined(separator: "\n"))
    }
}
