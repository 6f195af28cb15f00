import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How near replay comes to what the platform allows a protocol class that does nothing.
enum ReplayBenchmarks {
    static let all = [floor("replay/floor-seq", atOnce: 1), floor("replay/floor-64", atOnce: 64)]

    /// The requests per second of a cassette, over those of an answer that is always the same.
    private static func floor(_ name: String, atOnce: Int) -> Benchmark {
        Benchmark(name, .atLeast(0.90)) {
            let count = 10_000
            let tape = try Tape(Workload.cassette(count: count, bodyBytes: 100))
            let urls = (0..<count).compactMap { URL(string: Workload.url($0)) }
            let requests = Requests(urls: urls, atOnce: atOnce)
            let plain = URLSession(configuration: .default)
            let constant = URLSessionConfiguration.default
            constant.protocolClasses = [ConstantProtocol.self]
            let floor = URLSession(configuration: constant)
            return Benchmark.Sides(
                numerator: { try await tape.run(.none) { try await perSecond(requests, in: plain) } },
                denominator: { try await perSecond(requests, in: floor) }
            )
        }
    }

    private static func perSecond(_ requests: Requests, in session: URLSession) async throws -> Double {
        let seconds = try await Measurement.seconds {
            try await requests.run { url in
                let (body, _) = try await session.data(from: url)
                guard !body.isEmpty else { throw BenchmarkError("an answer is empty") }
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
