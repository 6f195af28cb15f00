import Foundation
import Rewind
import Testing

/// A miss of a real stubber, whose message is in a golden file.
struct MissCase: Sendable, CustomTestStringConvertible {
    var name: String
    var mode = RecordingMode.never
    var variables: [String: String] = [:]
    var cassette: [Interaction]?
    var hasPlace = true
    var configure: @Sendable (inout Stubber.Configuration) -> Void = { _ in }
    var prepare: @Sendable (Stubber) -> Void = { _ in }
    var request: Interaction.Request

    var testDescription: String { name }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Matching/Misses")

    /// The test that makes the request.
    static let test = RunnableTest(
        .xcTest,
        module: "AppTests",
        group: ["UserTests"],
        function: "testSecondPage"
    )

    /// The message of the miss in a test of XCTest, without the temporary folder of the cassette.
    func message() throws -> String {
        let kind = hasPlace ? TestIdentity.Kind.testCase : .function("withStubs")
        let (miss, folder) = try miss(in: kind)
        return miss.description.replacingOccurrences(of: folder, with: "/project")
    }

    /// The miss of a stubber that something else creates, and the folder of the cassette.
    func miss(in kind: TestIdentity.Kind) throws -> (miss: Miss, folder: String) {
        let studio = try Studio(cassette: "Cassettes/users")
        if let cassette {
            let folder = studio.file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try studio.put(cassette)
        }
        var configuration = Stubber.Configuration()
        configure(&configuration)
        let identity = TestIdentity(kind, name: "UserTests.testSecondPage", test: Self.test)
        let stubber =
            hasPlace
            ? try Stubber(
                at: studio.location,
                mode: mode,
                configuration: configuration,
                identity: identity,
                environment: Environment(variables)
            )
            : Stubber(stubsOnly: configuration, for: identity)
        prepare(stubber)
        guard case .refuse(let miss) = stubber.answer(to: request) else { throw MissCaseError.isNoMiss }
        return (miss, studio.folder.url.path)
    }

    private enum MissCaseError: Error {
        case isNoMiss
    }

    private static let api = "https://api.example.com"

    private static func post(_ path: String, _ type: String, _ body: String) -> Interaction.Request {
        Interaction.Request(
            method: "POST",
            url: api + path,
            headers: ["Content-Type": type],
            body: Interaction.Body(body)
        )
    }

    private static func recorded(_ request: Interaction.Request) -> Interaction {
        Interaction(
            request: request,
            outcome: .response(Interaction.Response(body: Interaction.Body("recorded"))),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }

    private static func unknown(_ request: Interaction.Request, _ reason: String) -> Interaction {
        var request = request
        (request.body, request.bodyAbsence) = (nil, reason)
        return recorded(request)
    }

    private static func users(_ answer: StubAnswer) -> @Sendable (Stubber) -> Void {
        { stubber in
            let file: StaticString = "AppTests/UserTests.swift"
            stubber.stub(.host("cdn.example.com"), fileID: file, line: 11, respond: .status(204))
            stubber.stub(.post("\(api)/users"), named: "sign up", fileID: file, line: 12, respond: .status(201))
            stubber.stub(.get("\(api)/users/*"), named: "users", fileID: file, line: 13, respond: answer)
        }
    }

    private static let pages = (1...3).map { Interaction.page("\(api)/users?page=\($0)&size=20") }

    static let all = [
        MissCase(name: "no-cassette", request: Interaction.Request(url: "\(api)/users?page=2")),
        MissCase(
            name: "recording-forbidden",
            variables: ["CI": "true"],
            request: Interaction.Request(url: "\(api)/users?page=2")
        ),
        MissCase(
            name: "empty-cassette",
            mode: .once,
            cassette: [],
            request: Interaction.Request(url: "\(api)/users")
        ),
        MissCase(
            name: "query-item",
            cassette: pages,
            prepare: { _ = $0.answer(to: Interaction.Request(url: "\(api)/users?size=20&page=3")) },
            request: Interaction.Request(url: "\(api)/users?page=4&size=20")
        ),
        MissCase(
            name: "path-segment-and-method",
            cassette: [.page("\(api)/users/17/posts"), .page("https://other.example.com/users/42/posts")],
            request: Interaction.Request(method: "DELETE", url: "\(api)/users/42/posts")
        ),
        MissCase(
            name: "json",
            cassette: [
                recorded(
                    post(
                        "/orders",
                        "application/json",
                        #"{"meta":{"requestId":"a1","at":"2026-01-01"},"items":[{"id":1},{"id":2}],"total":10}"#
                    )
                )
            ],
            configure: { $0.matching = .default.ignoring(.jsonPaths("$.meta.at")) },
            request: post(
                "/orders",
                "application/json",
                #"{"total":10.0,"items":[{"id":1},{"id":3}],"meta":{"at":"2026-02-02","requestId":"b2"}}"#
            )
        ),
        MissCase(
            name: "form",
            cassette: [recorded(post("/login", "application/x-www-form-urlencoded", "user=ann&nonce=1&x=y"))],
            request: post("/login", "application/x-www-form-urlencoded", "nonce=2&user=ann")
        ),
        MissCase(
            name: "text",
            cassette: [recorded(post("/notes", "text/plain", "first line\nsecond line\nthird line\n"))],
            request: post("/notes", "text/plain", "first line\nsecond lime\nthird line\n")
        ),
        MissCase(
            name: "broken-json",
            cassette: [recorded(post("/notes", "application/json", #"{"a":1,"a":2}"#))],
            request: post("/notes", "application/json", #"{"a":1,"a":3}"#)
        ),
        MissCase(
            name: "unknown-request-body",
            cassette: [unknown(post("/notes", "application/json", ""), "the request body is not valid base64")],
            request: post("/notes", "application/json", #"{"a":1}"#)
        ),
        MissCase(
            name: "headers",
            cassette: [
                recorded(
                    Interaction.Request(
                        url: "\(api)/users",
                        headers: ["Accept-Language": "de", "Accept": "*/*"]
                    )
                )
            ],
            configure: { $0.matching = .default + [.headers("Accept*")] },
            request: Interaction.Request(url: "\(api)/users", headers: ["accept-language": "en"])
        ),
        MissCase(
            name: "graphql",
            cassette: [
                recorded(
                    post(
                        "/graphql",
                        "application/json",
                        #"{"operationName":"User","query":"query User($id: ID!) { user(id: $id) { name } }","variables":{"id":1}}"#
                    )
                )
            ],
            configure: { $0.matching = [.method, .path, .graphQL] },
            request: post(
                "/graphql",
                "application/json",
                #"{"operationName":"User","query":"query User($id: ID!) {\n  user(id: $id) { name }\n}","variables":{"id":2}}"#
            )
        ),
        MissCase(
            name: "already-played",
            cassette: [pages[0], pages[1], pages[0]],
            prepare: { stubber in
                for page in [1, 2, 1] {
                    _ = stubber.answer(to: Interaction.Request(url: "\(api)/users?page=\(page)&size=20"))
                }
            },
            request: pages[0].request
        ),
        MissCase(
            name: "out-of-order",
            cassette: pages,
            configure: { $0.order = .sequential },
            prepare: { _ = $0.answer(to: pages[0].request) },
            request: pages[2].request
        ),
        MissCase(
            name: "test-ended",
            cassette: pages,
            prepare: { _ = try? $0.eject() },
            request: pages[0].request
        ),
        MissCase(
            name: "redacted",
            cassette: [
                .page("\(api)/users?page=2&access_token=REDACTEDaccessTokenN1X"),
                .page("\(api)/users?page=3&access_token=REDACTEDaccessTokenN1X"),
            ],
            request: Interaction.Request(url: "\(api)/users?page=4&access_token=hush-4f9a7c21")
        ),
        MissCase(
            name: "other-secret",
            cassette: [
                .page("\(api)/users?access_token=REDACTEDaccessTokenN1X"),
                .page("\(api)/posts?access_token=REDACTEDaccessTokenN1X"),
            ],
            prepare: { _ = $0.answer(to: Interaction.Request(url: "\(api)/users?access_token=hush-one-one")) },
            request: Interaction.Request(url: "\(api)/posts?access_token=hush-two-two")
        ),
        MissCase(
            name: "no-stub",
            hasPlace: false,
            prepare: users(.status(200)),
            request: Interaction.Request(url: "\(api)/users?page=2")
        ),
        MissCase(
            name: "stubs-passed-over",
            cassette: [pages[0]],
            prepare: users(.status(200)),
            request: pages[1].request
        ),
        MissCase(
            name: "stub-exhausted",
            hasPlace: false,
            prepare: { stubber in
                users(.sequence([.status(200), .status(304)], then: .fail))(stubber)
                for _ in 0..<2 { _ = stubber.answer(to: Interaction.Request(url: "\(api)/users/7")) }
            },
            request: Interaction.Request(url: "\(api)/users/7")
        ),
        MissCase(
            name: "invalid-stub",
            hasPlace: false,
            prepare: users(.redirect(to: "/login", status: 200)),
            request: Interaction.Request(url: "\(api)/users/7")
        ),
        MissCase(
            name: "network-forbidden",
            mode: .once,
            prepare: { $0.forbidNetwork() },
            request: Interaction.Request(method: "REPORT", url: "\(api)/users?page=2")
        ),
        MissCase(name: "paused", cassette: pages, prepare: { $0.pause() }, request: pages[0].request),
        MissCase(
            name: "own-comparison",
            cassette: [pages[0]],
            configure: { $0.matching = [.method, .custom("signature") { _, _ in false }] },
            request: pages[0].request
        ),
    ]
}
