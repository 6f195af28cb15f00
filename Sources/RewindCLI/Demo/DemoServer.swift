import Foundation
import Rewind
import RewindServer

/// The server that the demo talks to.
struct DemoServer {
    private let server: HTTPServer

    init() {
        let clock = Locked(0)
        server = HTTPServer { request, response in
            switch (request.method, request.path) {
            case ("GET", "/user"):
                try response.respond(
                    headers: ["Content-Type": "application/json"],
                    body: Data(#"{"id": 42}"#.utf8)
                )
            case ("POST", "/posts"):
                try response.respond(
                    status: 201,
                    headers: ["Content-Type": "application/json", "Location": "/posts/1"],
                    body: request.body
                )
            case ("GET", "/clock"):
                let tick = clock.withLock { tick in
                    tick += 1
                    return tick
                }
                try response.respond(headers: ["Content-Type": "text/plain"], body: Data("tick \(tick)".utf8))
            case ("GET", "/old"):
                try response.respond(status: 302, headers: ["Location": "/user"])
            case ("GET", "/image"):
                let pixels = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
                try response.respond(headers: ["Content-Type": "image/x-demo"], body: pixels)
            case ("DELETE", "/session"):
                try response.respond(status: 204)
            case ("GET", "/feed"):
                try response.begin(headers: ["Content-Type": "text/event-stream"])
                for number in 1...4 {
                    try response.write(Data("data: \(number)\n\n".utf8))
                    Thread.sleep(forTimeInterval: 0.02)
                }
                try response.end()
            default:
                try response.respond(
                    status: 404,
                    headers: ["Content-Type": "text/plain"],
                    body: Data("There is nothing here.".utf8)
                )
            }
        }
    }

    func start() throws -> URL {
        try server.start()
    }

    func stop() {
        server.stop()
    }
}
