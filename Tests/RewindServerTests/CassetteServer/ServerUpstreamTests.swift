import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerUpstreamTests {
    private var open: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        return configuration
    }

    @Test("Redirects lead to the server, but are recorded as the upstream sent them")
    func rewritesLocations() throws {
        let run = try RecordedServer(upstreams: { .paths(["/api/*": $0]) }) { url in
            let referer = "\(url.absoluteString)/api/start"
            let redirect = try send(url, "GET", "/api/redirect/2", headers: ["Referer": referer])
            return (redirect.status, redirect.headers["Location"])
        }
        #expect(run.live == (302, "/api/redirect/1"))
        #expect(run.replayed == run.live)
        let recorded = try #require(run.cassette.interactions.first)
        #expect(recorded.response?.headers["Location"] == "/redirect/1")
        #expect(recorded.request.headers["Referer"] == URLParts(recorded.request.url).origin + "/start")
    }

    @Test("Absolute URLs of the upstream become local in headers, cookies and bodies")
    func rewritesAbsoluteLocations() throws {
        let upstream = HTTPServer { request, response in
            let host = request.headers["Host"] ?? ""
            var headers: HeaderList = [
                "Location": "http://\(host)/next", "Content-Location": "http://\(host)/here",
            ]
            headers.append(
                "Link",
                "<http://\(host)/a?page=2>; rel=\"next\", <http://other.example/>; rel=\"x\""
            )
            headers.append("Set-Cookie", "a=b; Domain=\(host); Secure; Path=/")
            headers.append("Content-Type", "application/json")
            headers.append("X-Seen-Origin", request.headers["Origin"] ?? "")
            try response.respond(
                status: 201,
                headers: headers,
                body: Data(#"{"next":"http:\/\/\#(host)\/next"}"#.utf8)
            )
        }
        let url = try upstream.start()
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(
            upstream: url,
            cassette: "talk",
            in: folder.url,
            mode: .once,
            configuration: open
        )
        server.rewritesBodies = true
        let local = try server.start()
        let answer = try send(local, "GET", "/x", headers: ["Origin": local.absoluteString])
        #expect(answer.headers["Location"] == local.absoluteString + "/next")
        #expect(answer.headers["Content-Location"] == local.absoluteString + "/here")
        #expect(
            answer.headers["Link"]
                == "<\(local.absoluteString)/a?page=2>; rel=\"next\", <http://other.example/>; rel=\"x\""
        )
        #expect(answer.headers["Set-Cookie"] == "a=b; Path=/")
        #expect(answer.headers["X-Seen-Origin"] == url.absoluteString)
        let escaped = local.absoluteString.replacingOccurrences(of: "/", with: "\\/")
        #expect(answer.text == #"{"next":"\#(escaped)\/next"}"#)
        #expect(answer.isWhole)
        try server.stop()
        let response = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first?.response)
        #expect(response.headers["Location"] == url.absoluteString + "/next")
        #expect(String(decoding: response.body.data, as: UTF8.self).contains("\(url.port ?? 0)"))
    }

    @Test("Several upstreams are recorded with their own addresses and replayed without them")
    func severalByPath() throws {
        let (one, two) = (try ConversationServer(), try ConversationServer())
        defer { [one, two].forEach { $0.stop() } }
        let folder = try TemporaryDirectory()
        func exchange(_ mode: RecordingMode) throws -> [String] {
            let server = try CassetteServer(
                upstreams: .paths(["/one/*": one.url, "/two": two.url]),
                cassette: "talk",
                in: folder.url,
                mode: mode
            )
            let url = try server.start()
            defer { _ = try? server.stop() }
            return try ["/one/visit", "/two/visit", "/one/visit", "/three"].map {
                try send(url, "GET", $0).text
            }
        }
        let live = try exchange(.once)
        #expect(live.prefix(3) == ["visit 1", "visit 1", "visit 2"])
        [one, two].forEach { $0.stop() }
        #expect(try exchange(.never) == live)
        let urls = try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.request.url)
        #expect(urls == [one, two, one].map { $0["/visit"].absoluteString })
    }

    @Test("A proxy records requests to any host")
    func proxies() throws {
        var upstream = ""
        let run = try RecordedServer(upstreams: { url in
            upstream = url.absoluteString
            return .proxy
        }) { url in
            let found = try send(url, "GET", upstream + "/redirect/1", headers: ["Host": "ignored.example"])
            return [
                String(found.status), found.headers["Location"] ?? "",
                try send(url, "GET", "/json").status.description,
            ]
        }
        #expect(run.live == ["302", "/json", "400"])
        #expect(run.replayed == run.live)
        let request = try #require(run.cassette.interactions.first?.request)
        #expect(request.url == upstream + "/redirect/1")
        #expect(request.headers["Host"] == URLParts(upstream).authority)
    }

    @Test("An unreachable upstream is a 502 response with the reason, also on replay")
    func unreachable() throws {
        let folder = try TemporaryDirectory()
        // The port of a stopped server could be reused by another test.
        let upstream = try #require(URL(string: "http://127.0.0.1:1"))
        func exchange(_ mode: RecordingMode) throws -> ReceivedResponse {
            let server = try CassetteServer(
                upstream: upstream,
                cassette: "talk",
                in: folder.url,
                mode: mode
            )
            let url = try server.start(port: 0)
            let response = Result { try send(url, "GET", "/json") }
            do {
                try server.stop()
            } catch let error as Stubber.ScopeError {
                try keepFailures(of: error)
            }
            return try response.get()
        }
        let live = try exchange(.once)
        #expect(live.status == 502)
        #expect(live.headers["X-Rewind-Failure"] == "\(NSURLErrorCannotConnectToHost)")
        #expect(live.text.hasPrefix("No response to GET \(upstream.absoluteString)/json: "))
        #expect(try exchange(.never) == live)
        #expect(try Cassette(contentsOf: folder["talk.har"]).interactions.first?.failure?.code == -1004)
    }

    @Test("An upstream that does not respond in time is a 504 response")
    func timesOut() throws {
        var configuration = Stubber.Configuration()
        configuration.liveSession = .ephemeral
        configuration.liveSession?.timeoutIntervalForRequest = 0.3
        let run = try RecordedServer(configuration: configuration) { url in
            try send(url, "GET", "/slow/1500")
        }
        #expect(run.live.status == 504)
        #expect(run.live.headers["X-Rewind-Failure"] == "\(NSURLErrorTimedOut)")
        #expect(run.replayed == run.live)
    }

    @Test("An incomplete response ends at the same byte on replay")
    func breaksOff() throws {
        let run = try RecordedServer { url in try send(url, "GET", "/cut") }
        #expect(run.live.text == "only this")
        #expect(!run.live.isWhole)
        #expect(run.replayed == run.live)
    }

    @Test("The response transformer does not change the cassette")
    func transforms() throws {
        let run = try RecordedServer(prepare: { server in
            server.responseTransformer = { request, response in
                var response = response
                response.body = Interaction.Body("\(request.method) \(response.body.count)")
                response.headers.append("X-New", "1")
                return response
            }
        }) { url in
            let answer = try send(url, "GET", "/chunks/3")
            return [answer.text, answer.headers["X-New"] ?? ""]
        }
        #expect(run.live == ["GET 45", "1"])
        #expect(run.replayed == run.live)
        #expect(run.cassette.interactions.first?.response?.body.count == 45)
        #expect(run.cassette.interactions.first?.response?.headers["X-New"] == nil)
    }

    @Test("With a transformer, an incomplete response is sent up to its last byte")
    func breaksOffCollectedResponses() throws {
        let run = try RecordedServer(prepare: { $0.responseTransformer = { _, response in response } }) { url in
            try send(url, "GET", "/cut")
        }
        #expect(run.live.text == "only this")
        #expect(!run.live.isWhole)
        #expect(run.replayed == run.live)
    }

    @Test("Requests of the server are not intercepted by the cassette of a test")
    func goesAroundTheActiveStubber() throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        try withCassette("test", in: folder.url, mode: .all) { stubber in
            let server = try CassetteServer(
                upstream: upstream.url,
                cassette: "server",
                in: folder.url,
                mode: .once
            )
            let url = try server.start()
            #expect(try send(url, "GET", "/json").status == 200)
            #expect(try server.stop().recordedCount == 1)
            #expect(stubber.requestsInFlight.isEmpty)
        }
        #expect(folder.files == ["server.har"])
    }

    @Test("Two servers cannot record the same cassette at the same time")
    func claimsItsCassette() throws {
        let folder = try TemporaryDirectory()
        let upstream = try #require(URL(string: "http://127.0.0.1:1"))
        let servers = try (0..<2).map { _ in
            try CassetteServer(upstream: upstream, cassette: "talk", in: folder.url, mode: .all)
        }
        try servers[0].start()
        #expect(throws: CassetteError.self) { try servers[1].start() }
        try servers[0].stop()
        try servers[1].start()
        try servers[1].stop()
    }

    @Test("Environment variables pass the address to another process")
    func environment() throws {
        let folder = try TemporaryDirectory()
        let upstream = try #require(URL(string: "http://127.0.0.1:1"))
        let server = try CassetteServer(upstream: upstream, cassette: "talk", in: folder.url, mode: .never)
        #expect(throws: CassetteServerError.notStarted) { try server.environment("BASE_URL") }
        let url = try server.start().absoluteString
        #expect(try server.environment("BASE_URL", "API") == ["BASE_URL": url, "API": url])
        #expect(try server.environment("A", addedTo: ["A": "x", "B": "y"]) == ["A": url, "B": "y"])
        try server.stop()
    }
}
