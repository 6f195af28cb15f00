import Foundation
import Rewind

enum LookupBenchmarks {
    static let all = [growth, diagnosis, logGrowth]

    /// The time of a lookup in a large cassette, relative to a small one.
    private static let growth = Benchmark("lookup/growth", .atMost(2), isShort: true) {
        let (small, large) = (try Ends(of: 100), try Ends(of: 100_000))
        return Benchmark.Sides(
            numerator: { try await large.seconds() },
            denominator: { try await small.seconds() }
        )
    }

    /// The time of a lookup that is logged in a large cassette, relative to a small one.
    private static let logGrowth = Benchmark("log/growth", .atMost(2)) {
        let (small, large) = (try Ends(of: 100, logs: true), try Ends(of: 100_000, logs: true))
        return Benchmark.Sides(
            numerator: { try await large.seconds(500) },
            denominator: { try await small.seconds(500) }
        )
    }

    /// The time of the diagnosis of a miss, relative to the 50 milliseconds that it may take. Half of the interactions
    /// differ from the request in their URL, half only in their body.
    private static let diagnosis = Benchmark("miss/diagnosis", .atMost(1)) {
        var cassette = Workload.cassette(count: 10_000, bodyBytes: 500)
        for index in cassette.interactions.indices where index % 2 == 0 {
            let body = cassette.interactions[index].response?.body
            cassette.interactions[index].request.body = body
            cassette.interactions[index].request.url = Workload.url(0)
            cassette.interactions[index].request.headers["Content-Type"] = "application/json"
        }
        let stubber = try TemporaryCassette(cassette).stubber(.never, repeats: .all)
        let request = Interaction.Request(
            url: Workload.url(0),
            headers: ["Content-Type": "application/json"],
            body: Interaction.Body(#"{"number": 5000, "items": []}"#)
        )
        return Benchmark.Sides(
            numerator: {
                try await Measurement.seconds {
                    guard case .refuse(let miss) = stubber.answer(to: IncomingRequest(request)),
                        miss.description.contains("items")
                    else { throw BenchmarkError("the request was answered") }
                }
            },
            denominator: { 0.050 }
        )
    }

    private struct Ends: Sendable {
        private let stubber: Stubber
        private let requests: [Interaction.Request]

        init(of count: Int, logs: Bool = false) throws {
            let cassette = try TemporaryCassette(Workload.cassette(count: count, bodyBytes: 100))
            stubber = try cassette.stubber(.never, repeats: .all, logs: logs)
            requests = [0, count - 1].map { Interaction.Request(url: Workload.url($0)) }
        }

        func seconds(_ rounds: Int = 5000) async throws -> Double {
            try await Measurement.seconds {
                for _ in 0..<rounds {
                    for request in requests {
                        guard case .play = stubber.answer(to: IncomingRequest(request)) else {
                            throw BenchmarkError("no recording matches \(request)")
                        }
                    }
                }
            }
        }
    }
}

enum StubBenchmarks {
    static let all = [growth]

    /// The time to answer a request from 10,000 stubs with literal hosts and paths, relative to 10 stubs.
    private static let growth = Benchmark("stubs/growth", .atMost(2)) {
        let (few, many) = (stubber(10), stubber(10_000))
        return Benchmark.Sides(
            numerator: { try await seconds(many, among: 10_000) },
            denominator: { try await seconds(few, among: 10) }
        )
    }

    private static func stubber(_ count: Int) -> Stubber {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        for number in 0..<count { stubber.stub(.get(Workload.url(number)), respond: .status(204)) }
        return stubber
    }

    private static func seconds(_ stubber: Stubber, among count: Int) async throws -> Double {
        let requests = [0, count / 2, count - 1].map { Interaction.Request(url: Workload.url($0)) }
        return try await Measurement.seconds {
            for _ in 0..<2_000 {
                for request in requests {
                    guard case .play = stubber.answer(to: IncomingRequest(request)) else {
                        throw BenchmarkError("no stub answers \(request)")
                    }
                }
            }
        }
    }
}
