import Foundation
import Rewind
import RewindServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies of five megabytes, relative to the same exchange with a server through a plain session in the same build. Tests
/// are built for debugging, where a loop over bytes may take thirty times as long.
enum BodyBenchmarks {
    static let all = [
        recording("record/body-5mb-binary", .binary, .atMost(3)),
        recording("record/body-5mb-text", .text, .atMost(3)),
        recording("record/body-5mb-json", .json, .atMost(3)),
        recording("record/post-5mb-binary", .binary, .atMost(3), posts: true),
        recording("record/post-5mb-text", .text, .atMost(3), posts: true),
        recording("record/post-5mb-json", .json, .atMost(3), posts: true),
        replaying("replay/body-5mb-binary", .binary, .atMost(1)),
        replaying("replay/body-5mb-text", .text, .atMost(1)),
        replaying("replay/body-5mb-json", .json, .atMost(1)),
        replaying("replay/post-5mb-binary", .binary, .atMost(1), posts: true),
        replaying("replay/post-5mb-text", .text, .atMost(1), posts: true),
        replaying("replay/post-5mb-json", .json, .atMost(1), posts: true),
    ]

    enum Content: String {
        case binary = "application/octet-stream"
        case text = "text/plain; charset=utf-8"
        case json = "application/json"

        var body: Data {
            switch self {
            case .binary: Workload.bytes(BodyBenchmarks.size)
            case .text: Workload.prose(BodyBenchmarks.size)
            case .json: Workload.json(BodyBenchmarks.size)
            }
        }
    }

    fileprivate static let size = 5_000_000

    /// The time to record one exchange and to write its cassette.
    private static func recording(_ name: String, _ content: Content, _ bar: Bar, posts: Bool = false)
        -> Benchmark
    {
        Benchmark(name, bar, inDebugBuilds: bar) {
            let exchange = try Exchange(content, posts: posts)
            let cassette = try TemporaryCassette()
            return Benchmark.Sides(
                numerator: {
                    try await Measurement.seconds { try await cassette.run(.all) { try await exchange.run() } }
                },
                denominator: { try await Measurement.seconds { try await exchange.run() } }
            )
        }
    }

    /// The time to open the cassette and to replay the exchange.
    private static func replaying(_ name: String, _ content: Content, _ bar: Bar, posts: Bool = false)
        -> Benchmark
    {
        Benchmark(name, bar, inDebugBuilds: bar) {
            let exchange = try Exchange(content, posts: posts)
            let cassette = try TemporaryCassette()
            try await cassette.run(.all) { try await exchange.run() }
            return Benchmark.Sides(
                numerator: {
                    try await Measurement.seconds {
                        try await cassette.run(.never) { try await exchange.run() }
                    }
                },
                denominator: { try await Measurement.seconds { try await exchange.run() } }
            )
        }
    }

    /// A request and its response with a server on a loopback port, one of which has the body.
    private final class Exchange: Sendable {
        private let server: HTTPServer
        private let session = URLSession(configuration: .ephemeral)
        private let request: URLRequest
        private let count: Int

        init(_ content: Content, posts: Bool) throws {
            let body = content.body
            let answer = posts ? Data("stored".utf8) : body
            server = HTTPServer { _, response in
                try response.respond(status: 200, headers: ["Content-Type": content.rawValue], body: answer)
            }
            var request = URLRequest(url: try server.start().appendingPathComponent("file"))
            if posts {
                request.httpMethod = "POST"
                request.httpBody = body
                request.setValue(content.rawValue, forHTTPHeaderField: "Content-Type")
            }
            self.request = request
            count = answer.count
        }

        deinit {
            session.invalidateAndCancel()
            server.stop()
        }

        func run() async throws {
            let (data, _) = try await session.data(for: request)
            guard data.count == count else { throw BenchmarkError("\(data.count) of \(count) bytes") }
        }
    }
}
