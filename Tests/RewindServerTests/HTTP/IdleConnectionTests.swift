import Foundation
import Rewind
import RewindServer
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct IdleConnectionTests {
    private func limits(_ change: (inout HTTPLimits) -> Void = { _ in }) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.threadIdleTimeout = .milliseconds(5)
        change(&limits)
        return limits
    }

    /// Waits for a condition; the time limit of the suite ends an endless wait.
    private func wait(until condition: () -> Bool) {
        while !condition() { Thread.sleep(forTimeInterval: 0.002) }
    }

    @Test("500 idle connections use no thread, and each is served when it sends a request")
    func servesIdleConnections() throws {
        try withServer(limits: limits(), handler: echoPath) { server, url in
            let clients = try (0..<500).map { _ in try RawClient(url) }
            wait { server.openConnectionCount == 500 && server.threadCount == 0 }
            for round in 0..<2 {
                for (number, client) in clients.enumerated() where number.isMultiple(of: 2 - round) {
                    try client.send("GET /\(round)/\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try client.read(through: "/\(round)/\(number)")
                    #expect(answer.hasPrefix("HTTP/1.1 200 "))
                }
                wait { server.threadCount == 0 }
            }
            #expect(server.openConnectionCount == 500)
            #expect(server.connectionCount == 500)
        }
    }

    @Test("A request that arrives in parts with pauses is served")
    func resumes() throws {
        try withServer(limits: limits(), handler: echoPath) { server, url in
            let client = try RawClient(url)
            wait { server.openConnectionCount == 1 && server.threadCount == 0 }
            for piece in ["GET /pieces HT", "TP/1.1\r\nHos", "t: a\r\n", "\r\nGET /next"] {
                try client.send(piece)
                Thread.sleep(forTimeInterval: 0.02)
            }
            #expect(try client.read(through: "/pieces").hasPrefix("HTTP/1.1 200 "))
            try client.send(" HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.read(through: "\r\n\r\n/next").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("A connection is closed without a response after idleTimeout")
    func expires() throws {
        let limits = limits { $0.idleTimeout = .milliseconds(50) }
        try withServer(limits: limits, handler: echoPath) { server, url in
            let clients = try (0..<3).map { _ in try RawClient(url) }
            for client in clients { #expect(try client.readToEnd().isEmpty) }
            wait { server.openConnectionCount == 0 }
        }
    }

    @Test("A head that arrives too slowly is rejected")
    func refusesEndlessHeads() throws {
        let limits = limits { $0.headTimeout = .milliseconds(100) }
        try withServer(limits: limits, handler: echoPath) { server, url in
            let client = try RawClient(url)
            try client.send("GET / HTTP/1.1\r\nX: ")
            wait { server.openConnectionCount == 1 }
            while (try? client.send("x")) != nil, server.openConnectionCount > 0, !client.hasAnswer {
                Thread.sleep(forTimeInterval: 0.005)
            }
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 408 "))
            #expect(server.requestCount == 0)
        }
    }

    @Test("If all threads are busy, the next request waits for a free one")
    func waitsForRoom() throws {
        let limits = limits { $0.busyConnections = 2 }
        let mayAnswer = DispatchSemaphore(value: 0)
        try withServer(limits: limits) { request, response in
            if request.path == "/slow" { mayAnswer.wait() }
            try echoPath(request, response)
        } body: { server, url in
            let slow = try (0..<2).map { _ in try RawClient(url) }
            for client in slow { try client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n") }
            wait { server.busyConnectionCount == 2 }
            let waiting = try (0..<5).map { _ in try RawClient(url) }
            for client in waiting { try client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n") }
            wait { server.openConnectionCount == 7 }
            #expect(server.requestCount == 2)
            for _ in slow { mayAnswer.signal() }
            for client in waiting { #expect(try client.read(through: "\r\n\r\n/next").contains(" 200 ")) }
            for client in slow { #expect(try client.read(through: "\r\n\r\n/slow").contains(" 200 ")) }
        }
    }

    @Test("drain() answers requests that arrived and closes idle connections")
    func stops() throws {
        try withServer(limits: limits(), handler: echoPath) { server, url in
            let clients = try (0..<50).map { _ in try RawClient(url) }
            wait { server.openConnectionCount == 50 && server.threadCount == 0 }
            try clients[0].send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
            server.drain()
            #expect(try clients[0].readToEnd().hasSuffix("\r\n\r\n/last"))
            for client in clients.dropFirst() { #expect(try client.readToEnd().isEmpty) }
            server.stop()
            #expect(server.openConnectionCount == 0)
        }
    }

    @Test("After drain(), the server is busy until all requests that arrived are answered")
    func isBusyWhileItDrains() throws {
        try withServer(limits: limits()) { request, response in
            Thread.sleep(forTimeInterval: 0.002)
            try echoPath(request, response)
        } body: { server, url in
            let clients = try (0..<32).map { _ in try RawClient(url) }
            wait { server.openConnectionCount == clients.count }
            for client in clients { try client.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n") }
            server.drain()
            wait { server.busyConnectionCount == 0 }
            #expect(server.requestCount == clients.count)
            for client in clients { #expect(try client.readToEnd().hasSuffix("\r\n\r\n/last")) }
        }
    }

    @Test("drain() answers all pipelined requests, also those that were not read")
    func drainsPipelines() throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        try withServer(limits: limits()) { request, response in
            if request.path == "/0" { mayAnswer.wait() }
            try echoPath(request, response)
        } body: { server, url in
            let client = try RawClient(url)
            try client.send((0..<1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            wait { server.requestCount == 1 }
            server.drain()
            mayAnswer.signal()
            #expect(try client.readToEnd().hasSuffix("\r\n\r\n/999"))
        }
    }

    @Test("A client that never reads is disconnected, and the next one is served")
    func disconnectsUnreadingClient() throws {
        let limits = limits {
            $0.sendTimeout = .milliseconds(100)
            $0.closeTimeout = .milliseconds(100)
        }
        try withServer(limits: limits) { request, response in
            try response.respond(status: 200, body: Data(count: request.path == "/large" ? 50_000_000 : 1))
        } body: { server, url in
            let unreading = try RawClient(url)
            try unreading.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            wait { server.requestCount == 1 && server.openConnectionCount == 0 }
            let client = try RawClient(url)
            try client.send(lastRequest())
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("A client that ends its side and waits gets its response")
    func answersHalfClosed() throws {
        try withServer(limits: limits(), handler: echoPath) { server, url in
            for isIdleFirst in [false, true] {
                let client = try RawClient(url)
                if isIdleFirst { wait { server.openConnectionCount == 1 && server.threadCount == 0 } }
                try client.send("GET /half HTTP/1.1\r\nHost: a\r\n\r\n")
                client.finishSending()
                #expect(try client.readToEnd().hasSuffix("\r\n\r\n/half"))
                wait { server.openConnectionCount == 0 }
            }
        }
    }
}
