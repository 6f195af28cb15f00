import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A timing sweep: answers of requests that were in flight together arrive in every order that the recording allows.
final class TimingSweepTests: XCTestCase {
    private let folder = try! TemporaryDirectory()

    /// Writes a cassette from the start and the end of each request in milliseconds.
    private func write(_ spans: [(start: Double, end: Double)]) throws {
        let interactions = try spans.enumerated().map { index, span in
            var interaction = try Interaction.succeeded(
                url: "https://example.com/\(index + 1)",
                text: "\(index + 1)"
            )
            interaction.startedAt = Date(timeIntervalSince1970: 1_700_000_000 + span.start / 1000)
            interaction.timing = Interaction.Timing(wait: span.end - span.start)
            return interaction
        }
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
    }

    private static func get(_ number: Int) async throws -> Int {
        let url = try XCTUnwrap(URL(string: "https://example.com/\(number)"))
        let (data, _) = try await URLSession.shared.data(from: url)
        return Int(String(decoding: data, as: UTF8.self)) ?? 0
    }

    /// The orders in which answers arrive, by the name of the variation.
    private func orders(
        limit: Int? = nil,
        _ conversation: @escaping @Sendable (_ arrived: @escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws -> [String: [Int]] {
        let orders = Locked<[String: [Int]]>([:])
        try await withCassette("talk", in: folder.url, mode: .never) { _ in
            try await Stubber.sweep(.timing, limit: limit) { variation in
                try await conversation { number in
                    orders.withLock { $0[variation.id, default: []].append(number) }
                }
            }
        }
        return orders.withLock { $0 }.filter { $0.key != "unchanged" }
    }

    func testAnswersOfRequestsInFlightTogetherArriveInEveryOrder() async throws {
        try write([(0, 30), (10, 40), (20, 50)])
        let orders = try await orders { arrived in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...3 { group.addTask { arrived(try await Self.get(number)) } }
                try await group.waitForAll()
            }
        }
        XCTAssertEqual(
            orders,
            [
                "order-recorded": [1, 2, 3], "order-2-before-1": [2, 1, 3], "order-3-before-2": [1, 3, 2],
                "order-3.1": [3, 2, 1],
                "order-2.3.1": [2, 3, 1], "order-3.1.2": [3, 1, 2],
            ]
        )
    }

    func testARequestAfterAnAnswerIsNeverAnsweredBeforeIt() async throws {
        // The third request begins after the answer to the second one, and all three are in flight with the first one.
        try write([(0, 100), (0, 20), (30, 60)])
        let orders = try await orders { arrived in
            async let slow: Void = arrived(try await Self.get(1))
            arrived(try await Self.get(2))
            arrived(try await Self.get(3))
            try await slow
        }
        XCTAssertEqual(
            orders,
            ["order-recorded": [2, 3, 1], "order-1-before-3": [2, 1, 3], "order-1.2.3": [1, 2, 3]]
        )
    }

    func testAKeptOrderArrivesAgainInRealTime() async throws {
        try write([(0, 100), (0, 20), (30, 60)])
        let ids = ["order-recorded", "order-1-before-3", "order-1.2.3"]
        let conversation: @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void = { arrived in
            async let slow: Void = arrived(try await Self.get(1))
            arrived(try await Self.get(2))
            arrived(try await Self.get(3))
            try await slow
        }
        let stubber = try Stubber(
            at: CassetteLocation(name: "talk", in: folder.url),
            mode: .never,
            environment: Environment(["REWIND_SWEEP": (ids + ["keep"]).joined(separator: ",")])
        )
        _ = try await CassetteScope.serve(stubber) {
            try await Stubber.sweep(.timing) { _ in try await conversation { _ in } }
        }
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        var orders: [[Int]] = []
        for id in ids {
            let order = Locked<[Int]>([])
            try await withCassette("talk.\(id)", in: folder.url, mode: .never, configuration: configuration) {
                _ in
                try await conversation { number in order.withLock { $0.append(number) } }
            }
            orders.append(order.withLock { $0 })
        }
        XCTAssertEqual(orders, [[2, 3, 1], [2, 1, 3], [1, 2, 3]])
    }

    func testALimitChoosesSwapsOfNeighborsFirst() async throws {
        try write([(0, 30), (10, 40), (20, 50), (25, 55)])
        let orders = try await orders(limit: 4) { arrived in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...4 { group.addTask { arrived(try await Self.get(number)) } }
                try await group.waitForAll()
            }
        }
        XCTAssertEqual(
            Set(orders.keys),
            ["order-recorded", "order-2-before-1", "order-3-before-2", "order-4-before-3"]
        )
    }

    func testAConversationWithoutRequestsInFlightTogetherHasNoVariations() async throws {
        try write([(0, 20), (20, 40)])
        do {
            _ = try await orders { arrived in
                arrived(try await Self.get(1))
                arrived(try await Self.get(2))
            }
            XCTFail("something was varied")
        } catch {
            XCTAssertEqual(
                "\(error)",
                """
                The sweep of talk has no variations: no two requests were in flight together.
                  Record a conversation in which requests are in flight at the same time, or remove the sweep.
                """
            )
        }
    }

    func testAnAppThatMakesRequestsInAnotherOrderIsNotStopped() async throws {
        try write([(0, 30), (10, 40)])
        let orders = try await orders { arrived in
            arrived(try await Self.get(1))
            arrived(try await Self.get(2))
        }
        XCTAssertEqual(orders, ["order-recorded": [1, 2], "order-2-before-1": [1, 2]])
    }

    func testTurnsOfRequestsThatTheAppDoesNotMakeArePassedOverTogether() async throws {
        try write((0..<10).map { (Double($0) * 5, 100 + Double($0)) })
        let orders = try await orders { arrived in
            async let first: Void = arrived(try await Self.get(9))
            async let second: Void = arrived(try await Self.get(10))
            _ = try await (first, second)
        }
        XCTAssertEqual(orders, ["order-recorded": [9, 10], "order-10-before-9": [10, 9]])
    }

    func testARaceIsFound() async throws {
        try write([(0, 30), (10, 40)])
        do {
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                try await Stubber.sweep(.timing) { _ in
                    let last = Locked(0)
                    async let first: Void = last.withLock { [number = try await Self.get(1)] in $0 = number }
                    async let second: Void = last.withLock { [number = try await Self.get(2)] in $0 = number }
                    _ = try await (first, second)
                    guard last.withLock({ $0 }) == 2 else { throw URLError(.cannotParseResponse) }
                }
            }
            XCTFail("the race was not found")
        } catch Stubber.SweepError.broken(let report) {
            XCTAssertEqual(report.broken.map(\.variation.id), ["order-2-before-1"])
            XCTAssertEqual(report.broken[0].variation.description, "answers arrive as #2, #1")
        }
    }
}
