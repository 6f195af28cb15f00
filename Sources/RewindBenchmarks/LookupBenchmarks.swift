import Foundation
import Rewind

/// What finding an interaction costs.
enum LookupBenchmarks {
    static let all = [growth]

    /// The time of a lookup in a great cassette, over that in a small one.
    private static let growth = Benchmark("lookup/growth", .atMost(2)) {
        let (small, great) = (try Ends(of: 100), try Ends(of: 100_000))
        return Benchmark.Sides(
            numerator: { try await great.seconds() },
            denominator: { try await small.seconds() }
        )
    }

    /// The first and the last entry of a cassette, which are asked for again and again.
    private struct Ends: Sendable {
        private let stubber: Stubber
        private let requests: [Request]

        init(of count: Int) throws {
            let tape = try Tape(Workload.cassette(count: count, bodyBytes: 100))
            stubber = try tape.stubber(.none, repeats: .all)
            requests = [0, count - 1].map { Request(url: Workload.url($0)) }
        }

        /// The time of some thousand hits.
        func seconds() async throws -> Double {
            try await Measurement.seconds {
                for _ in 0..<5000 {
                    for request in requests {
                        guard case .replay = stubber.answer(to: request, completed: { request }) else {
                            throw BenchmarkError("\(request) is not found")
                        }
                    }
                }
            }
        }
    }
}
