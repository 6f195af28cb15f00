import Foundation
import Rewind
import RewindServer

/// What recording costs over going to the network alone, and how that grows.
enum RecordBenchmarks {
    static let all = [
        overhead("record/overhead", atOnce: 1),
        overhead("record/overhead-64", atOnce: 64),
        growth,
    ]

    /// The time of live requests while they are recorded, over that of the same without Rewind.
    private static func overhead(_ name: String, atOnce: Int) -> Benchmark {
        Benchmark(name, .atMost(1.10)) {
            let live = try LiveSide()
            let tape = try Tape()
            let requests = Requests(urls: live.urls(1000), atOnce: atOnce)
            return Benchmark.Sides(
                numerator: { try await tape.run(.all) { try await live.seconds(of: requests) } },
                denominator: { try await live.seconds(of: requests) }
            )
        }
    }

    /// The time to record four times as many interactions, the cassette written.
    private static let growth = Benchmark("record/growth", .atMost(4.4)) {
        let live = try LiveSide()
        let tape = try Tape()
        @Sendable func seconds(recording count: Int) async throws -> Double {
            let requests = Requests(urls: live.urls(count), atOnce: 16)
            return try await Measurement.seconds {
                _ = try await tape.run(.all) { try await live.seconds(of: requests) }
            }
        }
        return Benchmark.Sides(
            numerator: { try await seconds(recording: 4000) },
            denominator: { try await seconds(recording: 1000) }
        )
    }
}

/// A server on a loopback port, and a session that talks to it; both end with the value.
final class LiveSide: Sendable {
    private let server: HTTPServer
    private let session = StreamingSession()
    private let address: URL

    init() throws {
        let body = Workload.bytes(1024).base64EncodedData()
        server = HTTPServer { _, response in
            try response.respond(status: 200, headers: ["Content-Type": "text/plain"], body: body)
        }
        address = try server.start()
    }

    deinit {
        session.invalidate()
        server.stop()
    }

    /// So many addresses, all different.
    func urls(_ count: Int) -> [URL] {
        (0..<count).map { address.appendingPathComponent("items/\($0)") }
    }

    /// The time that requests to the server take.
    func seconds(of requests: Requests) async throws -> Double {
        try await Measurement.seconds { try await requests.run { [session] in try await session.load($0) } }
    }
}
