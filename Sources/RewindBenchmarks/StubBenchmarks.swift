import Foundation
import Rewind

/// What many stubs cost a request.
enum StubBenchmarks {
    static let all = [growth]

    /// The time of a request that one of 10,000 stubs with literal hosts and paths answers, over that of one of 10.
    private static let growth = Benchmark("stubs/growth", .atMost(2)) {
        let few = stubber(10)
        let many = stubber(10_000)
        return Benchmark.Sides(
            numerator: { try await seconds(many, among: 10_000) },
            denominator: { try await seconds(few, among: 10) }
        )
    }

    private static func stubber(_ count: Int) -> Stubber {
        let stubber = Stubber(stubsOnly: Configuration())
        for number in 0..<count { stubber.stub(.get(Workload.url(number)), respond: .status(204)) }
        return stubber
    }

    private static func seconds(_ stubber: Stubber, among count: Int) async throws -> Double {
        let requests = [0, count / 2, count - 1].map { Request(url: Workload.url($0)) }
        return try await Measurement.seconds {
            for _ in 0..<2_000 {
                for request in requests {
                    guard case .play = stubber.answer(to: request, completed: { request }) else {
                        throw BenchmarkError("a stub did not answer")
                    }
                }
            }
        }
    }
}
