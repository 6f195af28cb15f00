import Foundation
import Rewind
import RewindServer
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct HTTPServerTests {
    @Test("A server listens on a free port of this machine by default")
    func listensOnLoopback() throws {
        try withServer(handler: echoPath) { _, url in
            #expect(url.scheme == "http")
            #expect(url.host == "127.0.0.1")
            #expect(try #require(url.port) > 0)
            try withServer(handler: echoPath) { _, other in #expect(other != url) }
        }
    }

    @Test("A stopped server refuses new connections and closes open ones")
    func stops() throws {
        let server = HTTPServer(handler: echoPath)
        let url = try server.start()
        let client = try RawClient(url)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.read(through: "/a")
        #expect(server.openConnectionCount == 1)
        server.stop()
        server.stop()
        #expect(try client.readToEnd().isEmpty)
        #expect(server.openConnectionCount == 0)
        #expect(throws: SocketError.self) { try RawClient(url) }
    }

    @Test("A stopped server can start again, a running one cannot")
    func restarts() throws {
        let server = HTTPServer(handler: echoPath)
        let url = try server.start()
        #expect(throws: HTTPServerError.alreadyStarted) { try server.start() }
        server.stop()
        let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
        #expect(try server.start(host: "localhost", port: port).port == url.port)
        let client = try RawClient(try #require(URL(string: "http://127.0.0.1:\(port)")))
        try client.send(lastRequest())
        #expect(try client.readToEnd().hasSuffix("\r\n\r\n/"))
        server.stop()
    }

    @Test("A server stops when it is released")
    func stopsWhenReleased() throws {
        var server: HTTPServer? = HTTPServer(handler: echoPath)
        let url = try #require(try server?.start())
        server = nil
        #expect(throws: SocketError.self) { try RawClient(url) }
    }

    @Test("stop() wakes handlers that wait for clients, and waits for them")
    func stopWaitsForHandlers() throws {
        let result = Locked<(any Error)?>(nil)
        let began = DispatchSemaphore(value: 0)
        try withServer { _, response in
            do {
                try response.begin()
                began.signal()
                while true { try response.write(Data(count: 1_000_000)) }
            } catch {
                result.withLock { $0 = error }
                throw error
            }
        } body: { server, url in
            let client = try RawClient(url)
            try client.send(lastRequest())
            began.wait()
            server.stop()
            #expect(result.withLock { $0 } is SocketError)
        }
    }

    @Test("The error names a port in use or an invalid host")
    func namesWhatFailed() throws {
        try withServer(handler: echoPath) { _, url in
            let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
            let error = #expect(throws: SocketError.self) {
                try HTTPServer(handler: echoPath).start(port: port)
            }
            #expect(error?.description.hasPrefix("Could not listen on 127.0.0.1:\(port): ") == true)
        }
        #expect(throws: SocketError.invalidAddress("nowhere")) {
            try HTTPServer(handler: echoPath).start(host: "nowhere")
        }
    }

    @Test("Many clients are served in parallel")
    func servesManyConnections() throws {
        let clientCount = 64
        let arrived = Locked(0)
        let allArrived = DispatchSemaphore(value: 0)
        // No handler responds until all requests have arrived.
        try withServer { request, response in
            if arrived.withLock({
                $0 += 1; return $0 == clientCount
            }) {
                for _ in 0..<clientCount { allArrived.signal() }
            }
            allArrived.wait()
            try echoPath(request, response)
        } body: { server, url in
            let clients = try (0..<clientCount).map { _ in try RawClient(url) }
            for (index, client) in clients.enumerated() { try client.send(lastRequest("GET", "/\(index)")) }
            for (index, client) in clients.enumerated() {
                #expect(try client.readToEnd().hasSuffix("\r\n\r\n/\(index)"))
            }
            #expect(server.requestCount == clientCount)
            #expect(server.connectionCount == clientCount)
        }
    }

    @Test("URLSession receives complete, chunked and incomplete responses")
    func servesURLSession() async throws {
        let server = HTTPServer { request, response in
            switch request.path {
            case "/echo":
                try response.respond(status: 201, headers: ["X-Method": request.method], body: request.body)
            case "/chunks":
                try response.begin()
                try response.write(Data("hello, ".utf8))
                try response.write(Data("world".utf8))
                // Trailers would crash URLSession in swift-corelibs-foundation.
                try response.end()
            default:
                try response.begin(headers: ["Content-Length": "100"])
                try response.write(Data("part".utf8))
                response.abort()
            }
        }
        let url = try server.start()
        defer { server.stop() }
        // Tests that run in parallel may intercept sessions, but this one needs the network.
        try await withCassette("none", mode: .live) { _ in try await sendRequests(to: url) }
    }

    private func sendRequests(to url: URL) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }

        var request = URLRequest(url: url.appendingPathComponent("echo"))
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 7, count: 3_000_000)
        let (body, response) = try await session.data(for: request)
        #expect(body == request.httpBody)
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Method") == "POST")

        let (text, _) = try await session.data(from: url.appendingPathComponent("chunks"))
        #expect(String(decoding: text, as: UTF8.self) == "hello, world")
        await #expect(throws: URLError.self) {
            try await session.data(from: url.appendingPathComponent("cut"))
        }
    }
}
