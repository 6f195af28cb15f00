import Foundation
import RewindServer
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct SecretsOnDiskTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A secret for each place, with characters that each encoding writes differently.
    private static let places = [
        "header-authorization", "header-api-key", "cookie", "set-cookie", "query", "fragment", "user-password",
        "form",
        "form-plus", "multipart", "json", "json-nested", "json-array", "json-escaped", "json-in-json", "xml",
        "location",
        "link", "refresh", "stream", "basic", "jwt-like", "html", "response-json", "challenge",
    ]

    private static func secret(_ place: String) -> String { "S3cr&t/+\(place)=é<x>\"q" }

    private static var secrets: [String] { places.map(secret) }

    private static func encoded(_ text: String) -> String { PercentEncoding.encoded(text) }

    private static func quoted(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    /// Answers with secrets in many places, and with copies of the received secrets in others.
    private func server() throws -> (HTTPServer, URL) {
        let server = HTTPServer { request, response in
            func secret(_ place: String) -> String { Self.secret(place) }
            let copies = Self.places.map { place in
                "\(secret(place)) \(Self.encoded(secret(place))) \(Data(secret(place).utf8).base64EncodedString())"
                    + " \(Data("user:\(secret(place)):more".utf8).base64EncodedString())"
            }
            switch request.path {
            case "/copies":
                try response.respond(
                    status: 200,
                    headers: ["Content-Type": "text/plain"],
                    body: Data(copies.joined(separator: "\n").utf8)
                )
            case "/json-copies":
                try response.respond(
                    status: 200,
                    headers: [
                        "Content-Type": "application/json",
                        "X-Copy": Data(secret("json").utf8).base64EncodedString(),
                    ],
                    body: try JSONEncoder().encode(["notes": copies])
                )
            case "/moved":
                try response.respond(
                    status: 302,
                    headers: ["Location": "/done?access_token=\(Self.encoded(secret("location")))"]
                )
            case "/stream":
                try response.begin(status: 200, headers: ["Content-Type": "text/event-stream"])
                let line = "data: {\"api_key\":\(Self.quoted(secret("stream")))}\n\n"
                for piece in [line.prefix(20), line.dropFirst(20)] { try response.write(Data(piece.utf8)) }
                try response.end()
            default:
                var headers: HeaderList = [
                    "Content-Type": "application/json",
                    "Set-Cookie": "sid=\(Self.encoded(secret("set-cookie"))); Path=/",
                    "Link": "<https://h/?access_token=\(Self.encoded(secret("link")))>; rel=next",
                    "Refresh": "5; url=/x?api_key=\(Self.encoded(secret("refresh")))",
                ]
                headers.append(
                    "WWW-Authenticate",
                    "Digest realm=\"r\", nonce=\"\(Self.encoded(secret("challenge")))\""
                )
                let body =
                    #"{"accessToken":\#(Self.quoted(secret("response-json"))),"page":"<p>\#(Self.encoded(secret("html")))</p>"}"#
                try response.respond(status: 200, headers: headers, body: Data(body.utf8))
            }
        }
        return (server, try server.start())
    }

    /// Sends every secret once with its name, and fetches copies of all.
    private func talk(_ url: URL) async -> [Int] {
        func secret(_ place: String) -> String { Self.secret(place) }
        func post(_ path: String, _ type: String, _ body: String, _ headers: [String: String] = [:])
            -> URLRequest
        {
            var request = URLRequest(url: url.appendingPathComponent(path))
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            return request
        }
        let form = "application/x-www-form-urlencoded"
        let json = "application/json"
        let address =
            "\(url.absoluteString)/q?api_key=\(Self.encoded(secret("query")))#access_token=\(Self.encoded(secret("fragment")))"
        let basic = Data("ann:\(secret("basic"))".utf8).base64EncodedString()
        let multipart =
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret("multipart"))\r\n--b--\r\n"
        var requests = [URLRequest(url: url.appendingPathComponent("copies"))]
        if let url = URL(string: address) { requests.append(URLRequest(url: url)) }
        requests += [
            post(
                "a",
                json,
                #"{"password":\#(Self.quoted(secret("json"))),"deep":{"api_key":\#(Self.quoted(secret("json-nested")))},"access_token":[\#(Self.quoted(secret("json-array")))]}"#,
                [
                    "Authorization": "Bearer \(Self.encoded(secret("header-authorization")))",
                    "X-API-Key": Self.encoded(secret("header-api-key")),
                    "Cookie": "sid=\(Self.encoded(secret("cookie")))",
                ]
            ),
            post(
                "b",
                json,
                #"{"client_secret":\#(Self.quoted(secret("json-escaped")).replacingOccurrences(of: "é", with: "\\u00e9"))}"#,
                ["Authorization": "Basic \(basic)"]
            ),
            post(
                "c",
                json,
                #"{"log":\#(Self.quoted(#"{"password":\#(Self.quoted(secret("json-in-json")))}"#))}"#
            ),
            post(
                "d",
                form,
                "password=\(Self.encoded(secret("form")))&client_secret=\(Self.encoded(secret("form-plus")))"
            ),
            post("e", "multipart/form-data; boundary=b", multipart),
            post(
                "f",
                "text/xml",
                "<r><Password>\(secret("xml").replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;"))</Password></r>"
            ),
            post(
                "g",
                "text/plain",
                "see http://ann:\(Self.encoded(secret("user-password")))@h/ and /x?jwt=\(Self.encoded(secret("jwt-like")))&api_key=\(Self.encoded(secret("html")))"
            ),
        ]
        for path in ["moved", "stream", "json-copies", "copies"] {
            requests.append(URLRequest(url: url.appendingPathComponent(path)))
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        let session = URLSession(configuration: configuration)
        var statuses: [Int] = []
        for request in requests { statuses.append(await Outcome(of: request, in: session).status) }
        return statuses
    }

    @Test(
        "Secrets in twenty-five places, and encoded copies of them, are in no file",
        arguments: [
            RecordingMode.once, .all, .newEpisodes,
        ]
    )
    func planted(_ mode: RecordingMode) async throws {
        let (server, url) = try server()
        let statuses = try await withCassette("talk", in: folder.url, mode: mode) { _ in await talk(url) }
        #expect(!statuses.contains(0))
        server.stop()
        let findings = try SecretSearch(Self.secrets).findings(in: folder.url)
        #expect(findings == [])
        #expect(folder.files == ["talk.har"])
        _ = try JSONSerialization.jsonObject(with: Data(contentsOf: folder["talk.har"]))
        let replayed = try await withCassette("talk", in: folder.url, mode: .never) { _ in await talk(url) }
        #expect(replayed == statuses)
    }

    @Test("The recording of a failed test contains no secret")
    func failedTest() async throws {
        let (server, url) = try server()
        defer { server.stop() }
        struct Failure: Error {}
        try? await withCassette("talk", in: folder.url, mode: .all) { _ in
            _ = await talk(url)
            throw Failure()
        }
        #expect(folder.files == ["talk.failed.har"])
        #expect(try SecretSearch(Self.secrets).findings(in: folder.url) == [])
    }

    @Test("The journal of an unfinished recording contains no secret")
    func journal() async throws {
        let (server, url) = try server()
        defer { server.stop() }
        let findings = try await withCassette("talk", in: folder.url, mode: .once) { stubber in
            _ = await talk(url)
            stubber.waitForJournal()
            #expect(folder.files.map { $0.hasSuffix(".journal") } == [true])
            return try SecretSearch(Self.secrets).findings(in: folder.url)
        }
        #expect(findings == [])
    }

    @Test("The search of this test finds secrets if redaction is off")
    func searchFinds() async throws {
        let (server, url) = try server()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        _ = try await withCassette("talk", in: folder.url, mode: .all, configuration: configuration) { _ in
            await talk(url)
        }
        let findings = try SecretSearch(Self.secrets).findings(in: folder.url)
        for place in Self.places { #expect(findings.contains { $0.contains(place) }, "\(place)") }
    }
}
