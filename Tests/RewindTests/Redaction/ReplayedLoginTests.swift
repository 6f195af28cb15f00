import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// In mode `newEpisodes`, a login is replayed, and what follows it goes to the server.
@Suite(.serialized)
struct ReplayedLoginTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Logs in, and sends the token that the app received. Returns the answer to each request.
    private func talk(_ url: URL, _ path: String, _ mode: RecordingMode, key: String?) async throws -> [String]
    {
        var configuration = Stubber.Configuration()
        if let key { configuration.redaction.replace(key, with: "<TOKEN>") }
        return try await withCassette("login", in: folder.url, mode: mode, configuration: configuration) { _ in
            let login = await Outcome(of: url.appendingPathComponent("login"))
            let token = try JSON(parsing: login.body)["access_token"]?.stringValue ?? ""
            var request = URLRequest(url: url.appendingPathComponent(path))
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return [token, await Outcome(of: request).text]
        }
    }

    @Test(
        "The app sends the placeholder of a replayed login, or with replace the real value",
        arguments: [true, false]
    )
    func token(_ isReplaced: Bool) async throws {
        let secret = "t0ken-4f9a7c21e0b8"
        let server = HTTPServer { request, response in
            let body =
                request.path == "/login"
                ? #"{"access_token":"\#(secret)"}"#
                : (request.headers["Authorization"] == "Bearer \(secret)" ? "welcome" : "denied")
            try response.respond(headers: ["Content-Type": "application/json"], body: Data(body.utf8))
        }
        let url = try server.start()
        defer { server.stop() }
        let key = isReplaced ? secret : nil
        #expect(try await talk(url, "first", .once, key: key) == [secret, "welcome"])
        let second = try await talk(url, "second", .newEpisodes, key: key)
        #expect(second == (isReplaced ? [secret, "welcome"] : ["REDACTEDaccessTokenN1X", "denied"]))
        let text = try String(contentsOf: folder["login.har"], encoding: .utf8)
        #expect(!text.contains(secret))
        #expect(text.contains(isReplaced ? "Bearer <TOKEN>" : "Bearer REDACTEDaccessTokenN1X"))
    }
}
