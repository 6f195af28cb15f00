import ExampleBlog
import Foundation
import RewindTesting

/// Tests an app on all the days on which its server fails. Each planted bug breaks a variation, and the fixed app none.
@Suite(.cassettes) struct ShopTests {
    @Test func orders() async throws {
        try await Stubber.sweep(.faults) { _ in await buy(in: Shop()) }
        // The first run records.
        guard Stubber.current?.isRecording == false else { return }
        #expect(
            try await broken(.faults, by: .retriesForever)
                == ["fault-1-status-503 time limit", "fault-2-status-503 time limit"]
        )
        #expect(try await broken(.faults, by: .ordersAgain).contains("fault-2-cut expectation failed"))
        #expect(
            try await broken(.faults, by: .leaksErrors)
                == ["1", "2"].flatMap { number in
                    ["empty-body", "truncated-json", "html"].map { "fault-\(number)-\($0) expectation failed" }
                }
        )
    }

    @Test func prices() async throws {
        try await Stubber.sweep(.fields) { _ in await buy(in: Shop()) }
        guard Stubber.current?.isRecording == false else { return }
        #expect(
            try await broken(.fields, by: .givesAway)
                == ["removed", "null"].map { "field-1-\($0)-each.price expectation failed" }
        )
    }

    @Test func searches() async throws {
        try await Stubber.sweep(.timing) { _ in try await search(in: Shop()) }
        guard Stubber.current?.isRecording == false else { return }
        #expect(try await broken(.timing, by: .showsOldResults) == ["order-2-before-1 expectation failed"])
    }

    /// What must hold whatever the server does: errors of the app's own, one order, and a price.
    private func buy(in shop: Shop) async {
        do {
            _ = try await shop.buyFirstProduct()
        } catch {
            #expect(error is Shop.Failure)
        }
        #expect(await shop.sentOrders <= 1)
        #expect(await shop.paid != 0)
    }

    private func search(in shop: Shop) async throws {
        let searches = [await shop.type("b"), await shop.type("be")]
        for search in searches { try await search.value }
        #expect(await shop.results == ["Bell"])
    }

    /// The variations that a planted bug breaks, with their results.
    private func broken(_ sweep: Stubber.Sweep, by bug: Shop.Bug) async throws -> [String] {
        do {
            try await Stubber.sweep(sweep, timeLimit: .seconds(1)) { _ in
                let shop = Shop(bugs: [bug])
                if bug == .showsOldResults { try await search(in: shop) } else { await buy(in: shop) }
            }
            return []
        } catch Stubber.SweepError.broken(let report) {
            return report.broken.map { broken in
                "\(broken.variation.id) \(broken.reason.contains("did not end") ? "time limit" : "expectation failed")"
            }
        }
    }
}
