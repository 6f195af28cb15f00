import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Replay compared with a protocol class that always gives the same answer.
enum ReplayBenchmarks {
    static let all = [floor("replay/floor-seq", atOnce: 1), floor("replay/floor-64", atOnce: 64), parallel]

    /// The requests per second of sixteen parallel tests, each with its own cassette and all through one session, relative
    /// to sixteen parallel clients of a constant answer.
    private static let parallel = Benchmark("parallel/floor-16", .atLeast(0.90)) {
        let (tests, each) = (16, 500)
        let urls = (0..<each).compactMap { URL(string: Workload.url($0)) }
        let recorded = Workload.cassette(count: each, bodyBytes: 100)
        let cassettes = try (0..<tests).map { _ in try TemporaryCassette(recorded) }
        let lanes = Requests(urls: (0..<tests * each).map { urls[$0 / tests] }, atOnce: tests)
        let plain = URLSession(configuration: .default)
        let floor = constantSession
        return Benchmark.Sides(
            numerator: {
                let stubbers = try cassettes.map { try $0.stubber(.never) }
                let seconds = try await Measurement.seconds {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for stubber in stubbers {
                            group.addTask {
                                let scope = try CassetteScope(stubber)
                                try await scope.run { for url in urls { _ = try await plain.data(from: url) } }
                                try scope.finish()
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                return Double(tests * each) / seconds
            },
            denominator: { try await perSecond(lanes, in: floor) }
        )
    }

    private static var constantSession: URLSession {
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = [ConstantProtocol.self]
        return URLSession(configuration: configuration)
    }

    /// The requests per second of a cassette, relative to a constant answer.
    private static func floor(_ name: String, atOnce: Int) -> Benchmark {
        Benchmark(name, .atLeast(0.90)) {
            let count = 10_000
            let cassette = try TemporaryCassette(Workload.cassette(count: count, bodyBytes: 100))
            let urls = (0..<count).compactMap { URL(string: Workload.url($0)) }
            let requests = Requests(urls: urls, atOnce: atOnce)
            let plain = URLSession(configuration: .default)
            let floor = constantSession
            return Benchmark.Sides(
                numerator: { try await cassette.run(.never) { try await perSecond(requests, in: plain) } },
                denominator: { try await perSecond(requests, in: floor) }
            )
        }
    }

    private static func perSecond(_ requests: Requests, in session: URLSession) async throws -> Double {
        let seconds = try await Measurement.seconds {
            try await requests.run { url in
                let (body, _) = try await session.data(from: url)
                guard !body.isEmpty else { throw BenchmarkError("empty answer from \(url)") }
            }
        }
        return Double(requests.urls.count) / seconds
    }
}

/// Answers every request at once, with the same small body and the header fields of the cassette.
private final class ConstantProtocol: URLProtocol {
    private static let body = Data(#"{"number": 0, "items": [{"id": 1, "name": "Grüße", "seen": true}]}"#.utf8)
    private static let headers = Workload.responseHeaders.joined

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: Self.headers
            )
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Self.body)
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
