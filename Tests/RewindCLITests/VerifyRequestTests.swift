import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.serialized)
struct VerifyRequestTests {
    private let stage: VerifyStage
    private var server: DriftingServer { stage.server }

    init() throws { stage = try VerifyStage() }

    @Test("A request is sent as recorded, without headers of its connection")
    func requests() throws {
        var post = stage.got(
            "removed",
            #"{"id": 1}"#,
            headers: ["Content-Type": "application/json", "X-App": "7"]
        )
        post.request.method = "POST"
        post.request.url += "?page=2&q=%C3%A9#top"
        post.request.body = Interaction.Body(#"{"a": 1}"#)
        post.request.headers.append("Host", "api.example.com")
        post.request.headers.append("Connection", "X-Hop")
        post.request.headers.append("X-Hop", "1")
        post.request.headers.append(":authority", "api.example.com")
        try stage.write([post])
        let run = try stage.verify("api.har", "--unsafe", "--base-url", server.url.absoluteString + "/staging/")
        #expect(run.status == 1)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/staging/v1/removed?page=2&q=%C3%A9")
        #expect(request.body == Data(#"{"a": 1}"#.utf8))
        #expect(request.headers["X-App"] == "7" && request.headers["Content-Type"] == "application/json")
        #expect(request.headers["X-Hop"] == nil)
        #expect(request.headers[":authority"] == nil && request.headers["Host"] != "api.example.com")
        server.stop()
    }

    @Test("Unsafe, excluded and incomplete requests are skipped with a reason")
    func skips() throws {
        let methods = ["POST", "PUT", "DELETE", "GET", "HEAD", "OPTIONS"]
        var interactions = methods.map { method in
            var interaction = stage.got("text")
            interaction.request.method = method
            interaction.outcome = .response(
                Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body("x"))
            )
            return interaction
        }
        interactions[4].outcome = .response(Interaction.Response(headers: ["Content-Type": "text/plain"]))
        interactions.append(stage.got("text"))
        interactions[6].outcome = .unknown(reason: "the body was not kept")
        interactions.append(stage.got("text"))
        interactions[7].request.body = Interaction.Body("x")
        try stage.write(interactions)
        let run = try stage.verify("api.har", "--base-url", server.url.absoluteString)
        #expect(run.status == 0)
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "OPTIONS"])
        try expectGolden(run.output, "verify/skipped.txt")
        let only = try stage.verify("api.har", "--base-url", server.url.absoluteString, "--only", "post, head")
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "OPTIONS", "HEAD"])
        #expect(only.output.hasSuffix("8 interactions: 1 same, 7 skipped\n"), "\(only.output)")
        server.stop()
    }

    @Test("Identical requests are sent in recorded order, even with parallel jobs")
    func order() throws {
        let visits = Locked(0)
        let counting = HTTPServer { request, response in
            let visit = visits.withLock { visits in
                visits += 1
                return visits
            }
            let body = visit == 1 ? #"{"state": "new"}"# : #"{"state": null}"#
            try response.respond(headers: ["Content-Type": "application/json"], body: Data(body.utf8))
        }
        let url = try counting.start()
        defer { counting.stop() }
        try stage.write([stage.got("state", #"{"state": "new"}"#), stage.got("state", #"{"state": null}"#)])
        for jobs in ["1", "9"] {
            visits.withLock { $0 = 0 }
            let run = try stage.verify("api.har", "--base-url", url.absoluteString, "--jobs", jobs)
            #expect(run.status == 0, "\(run.output)")
            #expect(visits.withLock { $0 } == 2)
        }
    }

    @Test("By default, one request at a time is sent, in recorded order")
    func oneByOne() throws {
        let state = Locked((running: 0, most: 0, targets: [String]()))
        let slow = HTTPServer { request, response in
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
                state.targets.append(request.target)
            }
            Thread.sleep(forTimeInterval: 0.05)
            state.withLock { $0.running -= 1 }
            try response.respond(headers: ["Content-Type": "application/json"], body: Data("{}".utf8))
        }
        let url = try slow.start()
        defer { slow.stop() }
        let names = ["e", "a", "d", "b", "c"]
        try stage.write(names.map { stage.got($0, "{}") })
        #expect(try stage.verify("api.har", "--base-url", url.absoluteString).status == 0)
        #expect(state.withLock { $0.most } == 1)
        #expect(state.withLock { $0.targets } == names.map { "/v1/\($0)" })
        #expect(try stage.verify("api.har", "--base-url", url.absoluteString, "--jobs", "2").status == 0)
        #expect(state.withLock { $0.most } <= 2)
        server.stop()
    }

    @Test("Redirects are not followed")
    func redirects() throws {
        server.change(to: .drifted)
        var redirect = stage.got("moved")
        redirect.outcome = .response(Interaction.Response(status: 307, headers: ["Location": "/login"]))
        try stage.write([redirect])
        let run = try stage.verify("api.har", "--base-url", server.url.absoluteString)
        #expect(run.status == 0, "\(run.output)")
        #expect(server.requests.count == 1)
        server.stop()
    }

    // MARK: Secrets

    @Test("A request that needs a secret is skipped unless --secret provides it")
    func secrets() throws {
        let request = stage.got("retyped", headers: ["Authorization": "Bearer REDACTEDaccessTokenN1X"])
        var named = stage.got("retyped")
        named.request.url += "?key=%3CAPI_KEY%3E"
        try stage.write([request, named])
        let base = "--base-url=\(server.url.absoluteString)"
        let none = try stage.verify(
            "api.har",
            base,
            environment: ["API_KEY": "k-11aa22bb", "access_token": "t0k3n-1234"]
        )
        #expect(none.status == 0)
        #expect(server.requests.isEmpty, "a cassette must not read environment variables")
        try expectGolden(none.output, "verify/secrets.txt")
        let run = try stage.verify(
            "api.har",
            base,
            "--secret",
            "access_token:1=t0k3n-1234",
            "--secret",
            "API_KEY",
            environment: ["API_KEY": "k-11aa/22bb"]
        )
        #expect(run.status == 0, "\(run.output)\(run.errorOutput)")
        #expect(server.requests.first?.headers["Authorization"] == "Bearer t0k3n-1234")
        #expect(server.requests.last?.query == "key=k-11aa%2F22bb")
        #expect(!run.output.contains("t0k3n") && !run.output.contains("k-11aa"))
        server.stop()
    }

    @Test("--secret with a number replaces only this placeholder")
    func numberedSecrets() throws {
        let headers: HeaderList = [
            "Authorization": "Bearer REDACTEDaccessTokenN1X", "X-Second": "REDACTEDaccessTokenN2X",
        ]
        try stage.write([stage.got("retyped", headers: headers)])
        let base = "--base-url=\(server.url.absoluteString)"
        let one = try stage.verify("api.har", base, "--secret", "accessToken:2=second-1")
        #expect(one.output.contains("missing secret REDACTEDaccessTokenN1X"), "\(one.output)")
        #expect(server.requests.isEmpty)
        let both = try stage.verify(
            "api.har",
            base,
            "--secret",
            "accessToken=all-1",
            "--secret",
            "accessToken:2=second-1"
        )
        #expect(both.status == 0, "\(both.output)")
        #expect(server.requests.last?.headers["Authorization"] == "Bearer all-1")
        #expect(server.requests.last?.headers["X-Second"] == "second-1")
        server.stop()
    }

    @Test("Live responses are redacted before they are compared")
    func redactsResponses() throws {
        let live = HTTPServer { _, response in
            let body = Data(#"{"see client-4711-green": 1}"#.utf8)
            try response.respond(headers: ["Content-Type": "application/json"], body: body)
        }
        let url = try live.start()
        defer { live.stop() }
        try stage.write([stage.got("a", "{}")])
        let run = try stage.verify(
            "api.har",
            "--base-url=\(url.absoluteString)",
            "--value-env",
            "KEY",
            environment: ["KEY": "client-4711-green"]
        )
        #expect(run.status == 1)
        #expect(run.output.contains("see <KEY>"), "\(run.output)")
        #expect(!run.output.contains("client-4711-green"))
        server.stop()
    }

    @Test("--header replaces recorded headers, and adds them only for a single server")
    func headers() throws {
        let recorded = stage.got("retyped", headers: ["Authorization": "Bearer REDACTEDaccessTokenN1X"])
        try stage.write([recorded, stage.got("retyped")])
        let words = ["--base-url=\(server.url.absoluteString)", "--header", "authorization: Bearer real"]
        #expect(try stage.verify("api.har", words[0], words[1], words[2]).status == 0)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer real", "Bearer real"])

        var others = [recorded, stage.got("retyped")]
        others[0].request.url = server["retyped"].absoluteString
        others[1].request.url = server["retyped"].absoluteString.replacingOccurrences(
            of: "127.0.0.1",
            with: "localhost"
        )
        try stage.write(others)
        #expect(try stage.verify("api.har", words[1], words[2]).status == 0)
        #expect(server.requests.suffix(2).map { $0.headers["Authorization"] } == ["Bearer real", nil])
        server.stop()
    }
}
