import Foundation
import Rewind
import RewindServer
import Testing

/// Clients that send or read slowly cost neither much memory nor the place of other clients.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct SlowClientTests {
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"

    private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.threadIdleTimeout = .milliseconds(5)
        change(&limits)
        return limits
    }

    private let echoSize: HTTPServer.Handler = { request, response in
        try response.respond(
            body: Data("\(request.body.count) \(request.body.reduce(0) { $0 &+ Int($1) })".utf8)
        )
    }

    private func wait(until condition: () -> Bool) {
        while !condition() { Thread.sleep(forTimeInterval: 0.002) }
    }

    static let starts = [
        post + "Content-Length: 1000\r\n\r\n", post + "Transfer-Encoding: chunked\r\n\r\n3e8\r\n",
        post + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Trailer: ",
    ]

    @Test("A body that arrives too slowly is rejected", arguments: starts)
    func slowBody(_ start: String) throws {
        let limits = limits {
            $0.contentGrace = .milliseconds(100)
            $0.contentRate = 1000
        }
        try withServer(limits: limits, handler: echoPath) { server, url in
            let client = try RawClient(url)
            try client.send(start)
            while !client.hasAnswer, (try? client.send("x")) != nil { Thread.sleep(forTimeInterval: 0.01) }
            let answer = try client.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("at least 1000 bytes per second"))
            #expect(server.requestCount == 0)
        }
    }

    @Test("A slow body above the minimum rate is accepted")
    func steadyBody() throws {
        let limits = limits {
            $0.contentGrace = .milliseconds(20)
            $0.contentRate = 1
        }
        try withServer(limits: limits, handler: echoSize) { _, url in
            let client = try RawClient(url)
            try client.send(Self.post + "Content-Length: 10\r\n\r\n")
            for _ in 0..<10 {
                Thread.sleep(forTimeInterval: 0.01)
                try client.send("a")
            }
            #expect(try client.readToEnd().hasSuffix("10 970"))
        }
    }

    @Test("If there is no thread for a new client, the slowest unfinished request ends", arguments: starts)
    func slowestWriter(_ start: String) throws {
        try withServer(limits: limits { $0.busyConnections = 3 }, handler: echoPath) { server, url in
            let slow = try RawClient(url)
            try slow.send(start)
            wait { server.threadCount == 1 }
            Thread.sleep(forTimeInterval: 0.1)
            let faster = try (0..<2).map { _ in
                let client = try RawClient(url)
                try client.send(
                    Self.post + "Content-Length: 100001\r\n\r\n" + String(repeating: "x", count: 100_000)
                )
                return client
            }
            wait { server.threadCount == 3 }
            let next = try RawClient(url)
            try next.send(lastRequest("GET", "/next"))
            #expect(try next.readToEnd().hasSuffix("/next"))
            #expect(try slow.readToEnd().hasPrefix("HTTP/1.1 408 "))
            for client in faster {
                try client.send("x")
                #expect(try client.readToEnd().hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("If there is no thread for a new client, a client that does not read its response is disconnected")
    func slowReader() throws {
        let handler: HTTPServer.Handler = { request, response in
            try response.respond(body: Data(count: request.path == "/large" ? 50_000_000 : 4))
        }
        try withServer(limits: limits { $0.busyConnections = 2 }, handler: handler) { server, url in
            let slow = try (0..<2).map { _ in
                let client = try RawClient(url)
                try client.send(lastRequest("GET", "/large"))
                return client
            }
            wait { server.busyConnectionCount == 2 }
            let next = try RawClient(url)
            try next.send(lastRequest("GET", "/next"))
            #expect(try next.readToEnd().hasPrefix("HTTP/1.1 200 "))
            let sizes = slow.map { (try? $0.readBytesToEnd().count) ?? 0 }
            #expect(sizes.filter { $0 < 50_000_000 }.count == 1)
        }
    }

    @Test("Beyond the limit of connections, the one that is idle for longest is closed")
    func idleConnections() throws {
        try withServer(limits: limits { $0.openConnections = 4 }, handler: echoPath) { server, url in
            var clients: [RawClient] = []
            for number in 0..<4 {
                clients.append(try RawClient(url))
                wait { server.openConnectionCount == number + 1 && server.threadCount == 0 }
            }
            let next = try RawClient(url)
            try next.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try next.read(through: "/next")
            #expect(try clients[0].readToEnd().isEmpty)
            for client in clients.dropFirst() {
                try client.send("GET /still HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.read(through: "/still")
            }
            #expect(server.openConnectionCount == 4)
        }
    }

    /// The size of the body, the size of its parts, and the memory for bodies.
    static let bodies = [
        (1, 1, 0), (16_384, 1000, 0), (16_385, 1000, 0), (100_000, 7000, 0), (100_000, 7000, 1 << 20),
        (100_000, 7000, 50_000), (1_048_576, 65_536, 1 << 25), (1_048_577, 65_536, 1 << 25),
        (5_000_000, 65_536, 1 << 25),
    ]

    @Test(
        "A body is complete, whether it is in memory, in a file, or moved to one",
        arguments: bodies,
        [true, false]
    )
    func spooledBodies(_ row: (size: Int, part: Int, memory: Int), isChunked: Bool) throws {
        let body = Data((0..<row.size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let sum = body.reduce(0) { $0 &+ Int($1) }
        try withServer(limits: limits { $0.contentMemory = row.memory }, handler: echoSize) { _, url in
            // The budget must be given back, or else later bodies are refused.
            for _ in 0..<3 {
                let client = try RawClient(url)
                try client.send(
                    Self.post + (isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(row.size)")
                        + "\r\n\r\n"
                )
                for start in stride(from: 0, to: row.size, by: row.part) {
                    let piece = body[start..<min(start + row.part, row.size)]
                    if isChunked { try client.send("\(String(piece.count, radix: 16))\r\n") }
                    try client.send(Data(piece))
                    if isChunked { try client.send("\r\n") }
                }
                if isChunked { try client.send("0\r\n\r\n") }
                #expect(try client.readToEnd().hasSuffix("\r\n\r\n\(row.size) \(sum)"))
            }
            // Another test may be about to remove the name of its file.
            wait { Self.files.isEmpty }
        }
    }

    /// The files of bodies that have a name.
    private static var files: [String] {
        let folder = FileManager.default.temporaryDirectory.path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasPrefix("rewind-body-")
        }
    }

    @Test("Without room on the disk, a body is refused, and accepted when there is room again")
    func noRoom() throws {
        let limits = limits {
            $0.contentMemory = 0
            $0.contentDisk = 150_000
            // The first request must not end before the second one is refused.
            $0.receiveTimeout = .seconds(600)
            $0.contentGrace = .seconds(600)
        }
        try withServer(limits: limits, handler: echoSize) { server, url in
            let first = try RawClient(url)
            let part = String(repeating: "x", count: 100_000)
            try first.send(Self.post + "Content-Length: 100001\r\n\r\n" + part)
            wait { server.threadCount == 1 }
            var answer: String
            // A request is accepted as long as the server has not read the body of the first one.
            let deadline = Deadline(after: 60)
            repeat {
                let second = try RawClient(url)
                try second.send(Self.post + "Content-Length: 100000\r\n\r\n" + part)
                answer = try second.readToEnd()
            } while answer.hasPrefix("HTTP/1.1 200 ") && !deadline.isOver
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            try first.send("x")
            #expect(try first.readToEnd().hasPrefix("HTTP/1.1 200 "))
            let third = try RawClient(url)
            try third.send(Self.post + "Content-Length: 100000\r\n\r\n" + part)
            #expect(try third.readToEnd().hasPrefix("HTTP/1.1 200 "))
        }
    }
}
