import Foundation
import Rewind
import RewindServer

enum RecordBenchmarks {
    static let all = [
        overhead("record/overhead", atOnce: 1), overhead("record/overhead-64", atOnce: 64),
        direct, growth, redaction,
    ]

    /// The time of live requests while they are recorded, relative to requests through a plain inner session.
    private static func overhead(_ name: String, atOnce: Int) -> Benchmark {
        Benchmark(name, .atMost(1.10)) {
            let configuration = StreamingSession.configuration
            configuration.protocolClasses = [ForwardingProtocol.self]
            return try recording(atOnce: atOnce, over: StreamingSession(configuration))
        }
    }

    /// The time of live requests while they are recorded, relative to the same requests without interception.
    private static let direct = Benchmark("record/direct", .any) {
        try recording(atOnce: 1, over: StreamingSession())
    }

    private static func recording(atOnce: Int, over floor: StreamingSession) throws -> Benchmark.Sides {
        let live = try LiveSide()
        let cassette = try TemporaryCassette()
        let requests = Requests(urls: live.urls(1000), atOnce: atOnce)
        return Benchmark.Sides(
            numerator: { try await cassette.run(.all) { try await live.seconds(of: requests) } },
            denominator: {
                try await Measurement.seconds { try await requests.run { try await floor.load($0) } }
            }
        )
    }

    /// The time to record a thousand interactions with secrets, relative to the same without redaction.
    private static let redaction = Benchmark("record/redaction", .atMost(1.15)) {
        let live = try LiveSide(Workload.secretAnswer, type: "application/json")
        let cassette = try TemporaryCassette()
        @Sendable func seconds(_ redaction: Redaction) async throws -> Double {
            let requests = Requests(urls: live.urls(1000, query: Workload.secretQuery), atOnce: 16)
            return try await Measurement.seconds {
                _ = try await cassette.run(.all, redaction) { try await live.seconds(of: requests) }
            }
        }
        return Benchmark.Sides(
            numerator: { try await seconds(.default) },
            denominator: { try await seconds(.off) }
        )
    }

    /// The time to record and write four times as many interactions.
    private static let growth = Benchmark("record/growth", .atMost(4.4)) {
        let live = try LiveSide()
        let cassette = try TemporaryCassette()
        @Sendable func seconds(recording count: Int) async throws -> Double {
            let requests = Requests(urls: live.urls(count), atOnce: 16)
            return try await Measurement.seconds {
                _ = try await cassette.run(.all) { try await live.seconds(of: requests) }
            }
        }
        return Benchmark.Sides(
            numerator: { try await seconds(recording: 4000) },
            denominator: { try await seconds(recording: 1000) }
        )
    }
}

/// A server on a loopback port and a session that uses it; both end with the value.
final class LiveSide: Sendable {
    private let server: HTTPServer
    private let session = StreamingSession()
    private let address: URL

    init(_ body: Data = Workload.bytes(1024).base64EncodedData(), type: String = "text/plain") throws {
        server = HTTPServer { _, response in
            try response.respond(status: 200, headers: ["Content-Type": type], body: body)
        }
        address = try server.start()
    }

    deinit {
        session.invalidate()
        server.stop()
    }

    func urls(_ count: Int, query: String = "") -> [URL] {
        (0..<count).map { URL(string: "items/\($0)\(query)", relativeTo: address)?.absoluteURL ?? address }
    }

    func seconds(of requests: Requests) async throws -> Double {
        try await Measurement.seconds { try await requests.run { [session] in try await session.load($0) } }
    }
}
