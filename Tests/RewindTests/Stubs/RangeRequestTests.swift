import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request with a `Range` receives the part of a complete body that a server would send (RFC 9110 section 14).
@Suite(.serialized)
struct RangeRequestTests {
    private static let url = URL(string: "https://media.example.com/song.m4a")!
    private static let bytes = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    private static func outcome(
        _ range: String?,
        method: String = "GET",
        ifRange: String? = nil,
        of url: URL = url
    ) async -> Outcome {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(range, forHTTPHeaderField: "Range")
        request.setValue(ifRange, forHTTPHeaderField: "If-Range")
        return await Outcome(of: request)
    }

    @Test(
        "One range of bytes is answered with 206, its part of the body and its place",
        arguments: [
            ("bytes=0-99", 0..<100), ("bytes=500-999", 500..<1000), ("bytes=500-", 500..<1000),
            ("bytes=-5", 995..<1000), ("bytes=-5000", 0..<1000), ("bytes=990-5000", 990..<1000),
            ("bytes=0-0", 0..<1), ("BYTES=7-8", 7..<9), ("bytes= 7-8 ", 7..<9), ("bytes=,7-8,", 7..<9),
            ("bytes=999-99999999999999999999999", 999..<1000),
        ]
    )
    func part(range: String, part: Range<Int>) async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .data(Self.bytes, contentType: "audio/mp4", headers: ["ETag": "\"a\""]))
            let outcome = await Self.outcome(range)
            #expect(outcome.status == 206)
            #expect(outcome.body == Self.bytes[part])
            #expect(outcome.headers["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/1000")
            #expect(outcome.headers["Content-Length"] == "\(part.count)")
            #expect(outcome.headers["Content-Type"] == "audio/mp4")
        }
    }

    @Test(
        "A range behind the end is answered with 416 and the length of the body",
        arguments: ["bytes=1000-", "bytes=1000-2000", "bytes=99999999999999999999-", "bytes=-0"]
    )
    func unsatisfiable(range: String) async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .data(Self.bytes, contentType: "audio/mp4"))
            let outcome = await Self.outcome(range)
            #expect(outcome.status == 416 && outcome.body.isEmpty)
            #expect(outcome.headers["Content-Range"] == "bytes */1000")
            #expect(outcome.headers["Content-Length"] == "0")
        }
    }

    @Test(
        "Other units, several ranges and invalid ranges are ignored, as a server may",
        arguments: [
            nil, "bytes=0-1,5-6", "items=0-9", "0-9", "bytes=5-2", "bytes=", "bytes=-", "bytes=a-b",
            "bytes=+1-2",
            "bytes=1-2-3", "bytes", "bytes=1", "",
        ]
    )
    func ignored(range: String?) async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .data(Self.bytes))
            let outcome = await Self.outcome(range)
            #expect(outcome.status == 200 && outcome.body == Self.bytes)
            #expect(outcome.headers["Content-Range"] == nil)
        }
    }

    @Test("Only a complete 200 to a GET is sliced")
    func wholeAnswersOnly() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/404"), respond: .data(Self.bytes, status: 404))
            stubber.stub(.path("/206"), respond: .data(Self.bytes, status: 206))
            stubber.stub(.path("/coded"), respond: .data(Self.bytes, headers: ["Content-Encoding": "br"]))
            stubber.stub(.path("/none"), respond: .data(Self.bytes, headers: ["Accept-Ranges": "none"]))
            stubber.stub(.path("/empty"), respond: .data(Data()))
            stubber.stub(.path("/post"), respond: .data(Self.bytes))
            for (path, status) in [("404", 404), ("206", 206), ("coded", 200), ("none", 200), ("empty", 200)] {
                let outcome = await Self.outcome("bytes=0-9", of: Self.url.replacingPath("/\(path)"))
                #expect(outcome.status == status, "\(path)")
                #expect(outcome.body == (path == "empty" ? Data() : Self.bytes), "\(path)")
            }
            for method in ["POST", "HEAD"] {
                let outcome = await Self.outcome(
                    "bytes=0-9",
                    method: method,
                    of: Self.url.replacingPath("/post")
                )
                #expect(outcome.status == 200 && outcome.headers["Content-Length"] == "1000", "\(method)")
            }
        }
    }

    @Test("If-Range slices only the version that the client has")
    func validators() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        try await withStubs { stubber in
            stubber.stub(.path("/tag"), respond: .data(Self.bytes, headers: ["ETag": "\"a\""]))
            stubber.stub(.path("/weak"), respond: .data(Self.bytes, headers: ["ETag": "W/\"a\""]))
            stubber.stub(.path("/date"), respond: .data(Self.bytes, headers: ["Last-Modified": date]))
            for (path, validator, status) in [
                ("tag", "\"a\"", 206), ("tag", "\"b\"", 200), ("tag", date, 200), ("weak", "W/\"a\"", 200),
                ("date", date, 206), ("date", "Sun, 06 Nov 1994 08:49:38 GMT", 200), ("date", "\"a\"", 200),
            ] {
                let url = Self.url.replacingPath("/\(path)")
                let outcome = await Self.outcome("bytes=0-9", ifRange: validator, of: url)
                #expect(outcome.status == status, "\(path) \(validator)")
                #expect(outcome.body.count == (status == 206 ? 10 : 1000))
            }
        }
    }

    @Test("Files, JSON, closures, sequences and chunks are sliced, and faults apply to the part")
    func everyAnswer() async throws {
        let folder = try TemporaryDirectory()
        try Self.bytes.write(to: folder["song.m4a"])
        try await withStubs { stubber in
            stubber.stub(.path("/file"), respond: .file(folder["song.m4a"]))
            stubber.stub(.path("/json"), respond: .json(["a": 1]))
            stubber.stub(.path("/closure")) { _ in .data(Self.bytes) }
            stubber.stub(.path("/sequence"), respond: .sequence([.status(503), .data(Self.bytes)]))
            stubber.stub(.path("/cut"), respond: .data(Self.bytes).cut(afterBytes: 4))
            func outcome(_ path: String) async -> Outcome {
                await Self.outcome("bytes=1-5", of: Self.url.replacingPath(path))
            }
            #expect(await outcome("/file").body == Self.bytes[1...5])
            #expect(await outcome("/json").text == #""a":1"#)
            #expect(await outcome("/closure").body == Self.bytes[1...5])
            #expect(await outcome("/sequence").status == 503)
            #expect(await outcome("/sequence").body == Self.bytes[1...5])
            #expect(await outcome("/cut").failure == "NSURLErrorDomain \(NSURLErrorNetworkConnectionLost)")
            let chunks = stride(from: 0, to: 1000, by: 100).map { Self.bytes[$0..<$0 + 100] }
            stubber.stub(.path("/chunks"), respond: .chunks(chunks, every: .milliseconds(1)))
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            var request = URLRequest(url: Self.url.replacingPath("/chunks"))
            request.setValue("bytes=150-349", forHTTPHeaderField: "Range")
            let streamed = await observer.outcome(of: session.dataTask(with: request))
            #expect(streamed.body == Self.bytes[150..<350])
            #expect(observer.events.filter { $0.hasPrefix("data") } == ["data 50", "data 100", "data 50"])
            session.finishTasksAndInvalidate()
        }
    }

    @Test("A closure that answers the range itself is not changed")
    func ownRange() async throws {
        try await withStubs { stubber in
            stubber.stub(.any) { request in
                #expect(request.headers["Range"] == "bytes=10-19")
                return .text("mine", status: 206, headers: ["Content-Range": "bytes 10-19/20"])
            }
            let outcome = await Self.outcome("bytes=10-19")
            #expect(outcome.text == "mine" && outcome.headers["Content-Range"] == "bytes 10-19/20")
        }
    }

    // MARK: Recordings

    /// A server that sends whole bodies, with or without the announcement that it accepts ranges.
    private func server() throws -> (HTTPServer, URL) {
        let server = HTTPServer { request, response in
            var headers: HeaderList = ["Content-Type": "audio/mp4"]
            if request.path == "/announced" { headers["Accept-Ranges"] = "bytes" }
            if request.path == "/partial" {
                headers["Content-Range"] = "bytes 0-9/1000"
                return try response.respond(status: 206, headers: headers, body: Self.bytes.prefix(10))
            }
            try response.respond(status: 200, headers: headers, body: Self.bytes)
        }
        return (server, try server.start())
    }

    @Test("A whole recorded body is sliced if its server announced that it accepts ranges")
    func recording() async throws {
        let folder = try TemporaryDirectory()
        let (server, url) = try server()
        defer { server.stop() }
        try await withCassette("song", in: folder.url, mode: .all) { _ in
            for path in ["/announced", "/silent", "/partial"] {
                _ = await Outcome(of: url.replacingPath(path))
            }
        }
        server.stop()
        var configuration = Stubber.Configuration()
        configuration.repeats = .last
        try await withCassette("song", in: folder.url, mode: .never, configuration: configuration) { stubber in
            func outcome(_ path: String, _ range: String?) async -> Outcome {
                await Self.outcome(range, of: url.replacingPath(path))
            }
            let sliced = await outcome("/announced", "bytes=500-")
            #expect(sliced.status == 206 && sliced.body == Self.bytes[500...])
            #expect(sliced.headers["Content-Range"] == "bytes 500-999/1000")
            #expect(await outcome("/announced", "bytes=1000-").status == 416)
            #expect(await outcome("/announced", nil).body == Self.bytes)
            // The server did not say that it slices, so it may have sent 200 to this request too.
            let whole = await outcome("/silent", "bytes=500-")
            #expect(whole.status == 200 && whole.body == Self.bytes)
            // A recorded part is replayed as it is.
            #expect(await outcome("/partial", "bytes=0-9").body == Self.bytes.prefix(10))
            stubber.stub(.path("/announced"), respond: .recorded { $0.headers["X-Stub"] = "yes" })
            let changed = await outcome("/announced", "bytes=-5")
            #expect(changed.body == Self.bytes.suffix(5) && changed.headers["X-Stub"] == "yes")
        }
    }

    @Test("The server replays parts too, from stubs and from the cassette")
    func cassetteServer() async throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let server = try CassetteServer(stubber, upstreams: .url(Self.url.replacingPath("/")))
        stubber.stub(.path("/song"), respond: .data(Self.bytes))
        stubber.stub(.path("/slow"), respond: .data(Self.bytes).responding(over: .milliseconds(5)))
        let url = try server.start()
        defer { _ = try? server.stop() }
        try await withCassette("none", in: try TemporaryDirectory().url, mode: .live) { _ in
            for path in ["/song", "/slow"] {
                let outcome = await Self.outcome("bytes=10-19", of: url.replacingPath(path))
                #expect(outcome.status == 206 && outcome.body == Self.bytes[10...19], "\(path)")
            }
        }
    }
}
