import Foundation
import Rewind

/// Requests of a client that is not URLSession.
enum RespondBenchmarks {
    static let all = [overhead]

    /// What a replay through `respond` adds to a request that a closure answers with a constant, among 10,000
    /// interactions, relative to the time in which `JSONDecoder` decodes the body.
    ///
    /// The body is so small that this takes about ten microseconds.
    private static let overhead = Benchmark("respond/replay", .atMost(1)) {
        let cassette = Workload.cassette(count: 10_000, bodyBytes: 210)
        let saved = try TemporaryCassette(cassette)
        let requests = cassette.interactions.map(\.request)
        let bodies = cassette.interactions.compactMap { $0.response?.body.data }
        let constant = cassette.interactions[0].response ?? Interaction.Response()
        let live: @Sendable (Interaction.Request) async throws -> Interaction.Response = { _ in constant }
        return Benchmark.Sides(
            numerator: {
                let plain = try await Measurement.seconds {
                    for request in requests where try await live(request).body.isEmpty {
                        throw BenchmarkError("an answer has no body")
                    }
                }
                let replayed = try await saved.run(.never) {
                    try await Measurement.seconds {
                        for (request, body) in zip(requests, bodies) {
                            let response = try await Stubber.respond(to: request, live: live)
                            guard response.body.data == body else {
                                throw BenchmarkError("an answer is not from the cassette")
                            }
                        }
                    }
                }
                return replayed - plain
            },
            denominator: {
                let decoder = JSONDecoder()
                return try await Measurement.seconds {
                    for body in bodies where try decoder.decode(Page.self, from: body).items.isEmpty {
                        throw BenchmarkError("a body has no items")
                    }
                }
            }
        )
    }

    private struct Page: Decodable {
        let number: Int
        let items: [Item]

        struct Item: Decodable {
            let id: Int
            let name: String
            let seen: Bool
        }
    }
}
