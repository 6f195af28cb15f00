import Foundation
import RewindServer
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server at which users log in, and which then recognizes them by their tokens.
private struct LoginServer {
    let server: HTTPServer
    let url: URL

    init() throws {
        let users = Locked<[String: String]>([:])
        server = HTTPServer { request, response in
            let sent = (try? JSON(parsing: request.body))?["user"]?.stringValue
            if request.path == "/login", let user = sent {
                let token = "t0ken-" + UUID().uuidString.lowercased()
                users.withLock { $0[token] = user }
                try response.respond(
                    status: 200,
                    headers: ["Content-Type": "application/json"],
                    body: Data(
                        #"{"access_token":"\#(token)","next":"/me?access_token=\#(token)","user":"\#(user)"}"#
                            .utf8
                    )
                )
                return
            }
            let bearer = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
            let item = request.query.map { FormFields(spelled: $0) }?.fields.first {
                $0.name == "access_token"
            }?.value
            let user = (bearer ?? item).flatMap { token in users.withLock { $0[token] } }
            try response.respond(
                status: user == nil ? 401 : 200,
                headers: ["Content-Type": "text/plain", "X-Via": bearer == nil ? "query" : "header"],
                body: Data("hello \(user ?? "stranger")".utf8)
            )
        }
        url = try server.start()
    }
}

@Suite(.serialized)
struct LoginRedactionTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private struct Grant: Decodable {
        var access_token: String
        var next: String
    }

    private func logIn(_ user: String, _ password: String, at url: URL) async throws -> Grant {
        var request = URLRequest(url: url.appendingPathComponent("login"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"user":"\#(user)","password":"\#(password)"}"#.utf8)
        return try JSONDecoder().decode(Grant.self, from: await URLSession.shared.data(for: request).0)
    }

    private func greeting(_ grant: Grant, at url: URL) async throws -> [String] {
        var request = URLRequest(url: url.appendingPathComponent("me"))
        request.setValue("Bearer \(grant.access_token)", forHTTPHeaderField: "Authorization")
        let next = try #require(URL(string: grant.next, relativeTo: url))
        return [await Outcome(of: request).text, await Outcome(of: next).text]
    }

    private func cassette(
        _ mode: RecordingMode,
        _ configuration: Stubber.Configuration = Stubber.Configuration(),
        _ body: (Stubber) async throws -> Void
    ) async throws {
        try await withCassette("login", in: folder.url, mode: mode, configuration: configuration, body)
    }

    @Test("A token has the same placeholder from login to use, and replay accepts it")
    func wholeLogin() async throws {
        let login = try LoginServer()
        try await cassette(.once) { _ in
            let grant = try await logIn("ann", "correct horse", at: login.url)
            #expect(try await greeting(grant, at: login.url) == ["hello ann", "hello ann"])
        }
        login.server.stop()
        let text = try String(contentsOf: folder["login.har"], encoding: .utf8)
        #expect(text.components(separatedBy: "Bearer REDACTEDaccessTokenN1X").count == 2)
        #expect(!text.contains("t0ken-"))
        #expect(!text.contains("correct horse"))
        try await cassette(.never) { _ in
            let grant = try await logIn("ann", "correct horse", at: login.url)
            #expect(grant.access_token == "REDACTEDaccessTokenN1X")
            #expect(try await greeting(grant, at: login.url) == ["hello ann", "hello ann"])
        }
    }

    @Test("Users are distinguished by their secrets, in any order, and with new passwords")
    func users() async throws {
        let login = try LoginServer()
        try await cassette(.once) { _ in
            let ann = try await logIn("ann", "first-password", at: login.url)
            let bob = try await logIn("bob", "second-password", at: login.url)
            #expect(try await greeting(ann, at: login.url) == ["hello ann", "hello ann"])
            #expect(try await greeting(bob, at: login.url) == ["hello bob", "hello bob"])
        }
        login.server.stop()
        var configuration = Stubber.Configuration()
        configuration.matching = .default + [.headers("Authorization")]
        try await cassette(.never, configuration) { _ in
            let bob = try await logIn("bob", "changed-password", at: login.url)
            let ann = try await logIn("ann", "another-password", at: login.url)
            #expect(try await greeting(bob, at: login.url) == ["hello bob", "hello bob"])
            #expect(try await greeting(ann, at: login.url) == ["hello ann", "hello ann"])
        }
    }

    @Test("A password that belongs to another user is not a match")
    func mixedUp() async throws {
        let login = try LoginServer()
        try await cassette(.once) { _ in
            _ = try await logIn("ann", "first-password", at: login.url)
            _ = try await logIn("bob", "second-password", at: login.url)
        }
        login.server.stop()
        try await cassette(.never) { stubber in
            _ = try await logIn("ann", "first-password", at: login.url)
            await #expect(throws: (any Error).self) {
                _ = try await logIn("bob", "first-password", at: login.url)
            }
            #expect(stubber.takeMisses().count == 1)
            _ = try await logIn("bob", "second-password", at: login.url)
        }
    }

    @Test("New episodes continue the numbers and recognize the secrets of the cassette")
    func newEpisodes() async throws {
        let login = try LoginServer()
        defer { login.server.stop() }
        func get(_ key: String, _ page: Int) async -> Int {
            await Outcome(of: URL(string: "me?api_key=\(key)&page=\(page)", relativeTo: login.url) ?? login.url)
                .status
        }
        try await cassette(.once) { _ in
            _ = await get("key-number-one", 1)
            _ = await get("key-number-two", 2)
        }
        try await cassette(.newEpisodes) { _ in
            _ = await get("key-number-two", 2)
            _ = await get("key-number-two", 3)
            _ = await get("key-number-three", 4)
        }
        let urls = try Cassette(contentsOf: folder["login.har"]).interactions.map(\.request.url)
        let numbers = urls.map { Placeholder.placeholders(in: $0).first?.number }
        #expect(numbers == [1, 2, 2, 3])
    }

    @Test("A known secret is recorded as its placeholder and replayed as itself")
    func replacement() async throws {
        let login = try LoginServer()
        func configuration(_ key: String?) -> Stubber.Configuration {
            var configuration = Stubber.Configuration()
            configuration.redaction.replace(key, with: "<API_KEY>")
            return configuration
        }
        func echo(_ key: String) async throws -> [String?] {
            var request = URLRequest(url: login.url.appendingPathComponent("login"))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(#"{"user":"\#(key)"}"#.utf8)
            let user = try JSON(parsing: await Outcome(of: request).body)["user"]?.stringValue
            return [
                user, await Outcome(of: URL(string: "me?who=\(key)", relativeTo: login.url) ?? login.url).text,
            ]
        }
        try await cassette(.once, configuration("k-1")) { _ in
            let answers = try await echo("k-1")
            #expect(answers == ["k-1", "hello stranger"])
        }
        login.server.stop()
        let text = try String(contentsOf: folder["login.har"], encoding: .utf8)
        #expect(!text.contains("k-1"))
        #expect(text.contains("%3CAPI_KEY%3E"))
        #expect(text.contains(#"\"user\":\"<API_KEY>\""#))
        try await cassette(.never, configuration("an0ther-key")) { _ in
            let answers = try await echo("an0ther-key")
            #expect(answers == ["an0ther-key", "hello stranger"])
        }
    }
}
