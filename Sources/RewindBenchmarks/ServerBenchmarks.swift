import Foundation
import Rewind
import RewindServer

/// The cassette server compared with its own HTTP server and a constant answer.
enum ServerBenchmarks {
    static let all = [floor("server/replay", connections: 1), floor("server/replay-64", connections: 64)]

    /// The requests per second of a cassette, relative to the same server without one.
    private static func floor(_ name: String, connections: Int) -> Benchmark {
        Benchmark(name, .atLeast(0.80)) {
            let count = 10_240
            let saved = try TemporaryCassette(cassette(count: count))
            let constant = HTTPServer { _, response in try response.respond(headers: headers, body: body) }
            let address = try constant.start()
            return Benchmark.Sides(
                numerator: {
                    let stubber = try saved.stubber(.never)
                    let upstreams = CassetteServer.Upstreams.url(try url("http://benchmark.invalid"))
                    let server = try CassetteServer(stubber, upstreams: upstreams)
                    let load = ClientLoad(url: try server.start(), connections: connections, requests: count)
                    let rate = try load.perSecond()
                    guard try server.stop().unplayed.isEmpty else {
                        throw BenchmarkError("missing answer")
                    }
                    return rate
                },
                denominator: {
                    // Keeps the server alive during the benchmark.
                    try withExtendedLifetime(constant) {
                        try ClientLoad(url: address, connections: connections, requests: count).perSecond()
                    }
                }
            )
        }
    }

    private static let body = Data(#"{"number": 0, "items": [{"id": 1, "name": "Grüße", "seen": true}]}"#.utf8)

    private static let headers: HeaderList = {
        var headers = Workload.responseHeaders
        headers.append("Content-Length", "\(body.count)")
        return headers
    }()

    private static func cassette(count: Int) -> Cassette {
        Cassette(
            interactions: (0..<count).map { number in
                Interaction(
                    request: Interaction.Request(url: Workload.url(number), headers: ClientLoad.headers),
                    outcome: .response(Interaction.Response(headers: headers, body: Interaction.Body(body)))
                )
            }
        )
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw BenchmarkError("'\(text)' is not a valid URL") }
        return url
    }
}

/// Clients that only send requests and count answers, so that the client does not limit the result.
private struct ClientLoad: Sendable {
    let url: URL
    let connections: Int
    let requests: Int

    static let headers: HeaderList = ["Accept": "application/json", "User-Agent": "Benchmark/1.0"]

    /// The requests per second of all connections together. Each connection sends one request after the other.
    func perSecond() throws -> Double {
        let failure = Locked<(any Error)?>(nil)
        let start = ContinuousClock.now
        let all = DispatchGroup()
        for connection in 0..<connections {
            all.enter()
            Thread.detachNewThread {
                defer { all.leave() }
                do {
                    try hold(connection)
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        all.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return Double(requests) / (start.duration(to: .now) / .seconds(1))
    }

    private func hold(_ connection: Int) throws {
        let port = url.port.flatMap { UInt16(exactly: $0) } ?? 0
        let socket = try Socket.connected(host: "127.0.0.1", port: port)
        defer { socket.close() }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var expected = 0
        for number in stride(from: connection, to: requests, by: connections) {
            let path = "/items/\(number)?page=\(number % 7)"
            let fields = Self.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
            try socket.send(Data("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8))
            var received = 0
            repeat {
                let count = try socket.receive(into: &buffer)
                guard count > 0 else { throw BenchmarkError("the server closed a connection") }
                received += count
                // Every answer has the length of the first, which arrives in one read.
                if expected == 0 { expected = count }
            } while received < expected
            guard received == expected, buffer.starts(with: "HTTP/1.1 200 ".utf8) else {
                throw BenchmarkError("an answer is not from the cassette")
            }
        }
    }
}
