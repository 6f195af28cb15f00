import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session records and replays unusual messages: interim responses, and header fields that are not UTF-8.
final class UnusualMessageTests: XCTestCase {
    /// The outcomes of a recorded and of a replayed request.
    private func outcomes(
        of request: (URL) -> URLRequest = { URLRequest(url: $0) },
        _ answer: @escaping @Sendable (HTTPResponseWriter) throws -> Void
    ) async throws -> (live: Outcome, replayed: Outcome) {
        let server = HTTPServer { try answer($1) }
        let request = request(try server.start().appendingPathComponent("x"))
        let folder = try TemporaryDirectory()
        let live = try await withCassette("talk", in: folder.url, mode: .once) { _ in await Outcome(of: request)
        }
        server.stop()
        let replayed = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            await Outcome(of: request)
        }
        return (live, replayed)
    }

    func testInterimResponsesAreDropped() async throws {
        let interims = [
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n",
            "HTTP/1.1 102 Processing\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
        ]
        let final = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello"
        for (method, pause) in [("GET", 0), ("GET", 0.02), ("POST", 0), ("POST", 0.02)] {
            let result = try await outcomes { url in
                var request = URLRequest(url: url)
                request.httpMethod = method
                if method == "POST" { request.httpBody = Data("body".utf8) }
                return request
            } _: { response in
                guard pause > 0 else { return try response.sendRaw(Data((interims.joined() + final).utf8)) }
                for interim in interims {
                    try response.sendRaw(Data(interim.utf8))
                    Thread.sleep(forTimeInterval: pause)
                }
                try response.sendRaw(Data(final.utf8))
            }
            XCTAssertEqual(result.live, result.replayed)
            XCTAssertEqual(result.live.status, 200)
            XCTAssertEqual(result.live.text, "hello")
            XCTAssertEqual(result.live.headers["X-A"], "b")
            XCTAssertNil(result.live.headers["Link"])
        }
    }

    #if canImport(FoundationNetworking)
        func testAHeaderFieldThatIsNotUTF8IsReadAsLatin1() async throws {
            let result = try await outcomes { response in
                let fields = Data("X-Name: J".utf8) + Data([0xFC]) + Data("rgen\r\nX-Other: €\r\n".utf8)
                try response.sendRaw(
                    Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n".utf8) + fields + Data("\r\nok".utf8)
                )
            }
            XCTAssertEqual(result.live, result.replayed)
            XCTAssertEqual(result.live.headers["X-Name"], "Jürgen")
            XCTAssertEqual(result.live.headers["X-Other"], "€")
            XCTAssertEqual(result.live.text, "ok")
        }
    #endif
}
