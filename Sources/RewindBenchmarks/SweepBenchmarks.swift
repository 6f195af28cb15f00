import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sweeps over a conversation of twenty requests.
enum SweepBenchmarks {
    static let all = [faults, fields]

    /// A variation of a fault sweep, relative to a replay of the same conversation in a scope of its own.
    private static let faults = Benchmark("sweep/faults", .any) {
        try perVariation(.faults, of: Workload.cassette(count: 20, bodyBytes: 1000))
    }

    /// A variation of a field sweep of an answer of 10 kB, relative to a replay of that answer in a scope of its own.
    private static let fields = Benchmark("sweep/fields", .any) {
        try perVariation(.fields, of: Workload.cassette(count: 1, bodyBytes: 10_000))
    }

    private static func perVariation(_ sweep: Stubber.Sweep, of cassette: Cassette) throws -> Benchmark.Sides {
        let saved = try TemporaryCassette(cassette)
        let urls = cassette.interactions.compactMap { URL(string: $0.request.url) }
        let converse: @Sendable () async -> Void = {
            for url in urls { _ = try? await URLSession.shared.data(from: url) }
        }
        return Benchmark.Sides(
            numerator: {
                let count = Locked(1)
                let seconds = try await saved.run(.never) {
                    try await Measurement.seconds {
                        let report = try await Stubber.sweep(sweep, timeLimit: .seconds(60)) { _ in
                            await converse()
                        }
                        count.withLock { $0 += report.variationCount }
                    }
                }
                return seconds / Double(count.withLock { $0 })
            },
            denominator: {
                let count = 50
                let seconds = try await Measurement.seconds {
                    for _ in 0..<count { try await saved.run(.never) { await converse() } }
                }
                return seconds / Double(count)
            }
        )
    }
}
