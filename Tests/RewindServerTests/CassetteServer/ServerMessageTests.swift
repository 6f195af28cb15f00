import Foundation
import Rewind
import Testing

@testable import RewindServer

/// Every message that a user of the server can see, in one golden file.
struct ServerMessageTests {
    private static let errors: [any Error] = [
        CassetteServerError.invalidUpstream("ftp://example.com"), CassetteServerError.noUpstream,
        CassetteServerError.cannotListen(
            host: "127.0.0.1",
            port: 80,
            cause: SocketError.failed(attempt: "listen on 127.0.0.1:80", code: EACCES).cause
        ),
        CassetteServerError.cannotListen(
            host: "localhost.example",
            port: 0,
            cause: SocketError.invalidAddress("localhost.example").cause
        ),
        CassetteServerError.notStarted, CassetteServerError.alreadyStarted, CassetteServerError.alreadyStopped,
        HTTPServerError.alreadyStarted,
        SocketError.failed(attempt: "listen on 127.0.0.1:80", code: EACCES),
        SocketError.timedOut(attempt: "send"),
        SocketError.invalidAddress("nowhere"), SocketError.closed,
    ]

    private static let refusals: [HTTPRefusal] = [
        .encrypted, .malformedRequestLine, .malformedTarget, .bareLineFeed, .bareCarriageReturn, .foldedField,
        .whitespaceBeforeColon, .malformedFieldName, .malformedFieldValue(name: "X-A"), .missingHost,
        .repeatedHost,
        .malformedHost, .malformedContentLength, .conflictingContentLengths, .contentLengthWithTransferEncoding,
        .malformedTransferEncoding, .unsupportedTransferCoding("gzip"), .malformedChunkSize, .malformedChunkEnd,
        .incompleteRequest, .timedOut, .contentTooLarge(limit: 1000), .chunkExtensionsTooLarge(limit: 1000),
        .requestLineTooLong(limit: 1000), .fieldSectionTooLarge(limit: 1000), .tooManyFields(limit: 100),
        .unsupportedVersion("HTTP/2.0"), .tooSlow(rate: 500), .slowest, .noRoomForContent,
        .contentNotStored(cause: "could not write a request body: No space left on device"),
    ]

    private static let responseErrors: [HTTPResponseError] = [
        .invalidStatus(1000), .invalidReason("a\nb"), .invalidFieldName("a b"),
        .invalidFieldValue(name: "X-A", value: "a\nb"), .invalidContentLength("1, 2"), .contentTooLong(by: 2),
        .contentTooShort(by: 2), .unsupportedTransferEncoding("gzip"), .alreadyAnswered, .notStreaming,
        .connectionClosed, .notAnswered,
    ]

    /// The status and text of the response to a request that is not forwarded.
    private func explanation(
        _ upstreams: CassetteServer.Upstreams,
        _ method: String,
        _ target: String,
        _ headers: HeaderList = ["Host": "127.0.0.1:4000"]
    ) throws -> String {
        let request = try HTTPServerRequest(method: method, target: target, headers: headers)
        guard case .nowhere(let status, let text) = upstreams.destination(of: request, at: 4000) else {
            return ""
        }
        return "\(status) \(text)"
    }

    private func explanations() throws -> [String] {
        let url = try #require(URL(string: "https://api.example.com"))
        let version = try #require(URL(string: "https://api.example.com/v2"))
        let paths = CassetteServer.Upstreams.paths(["/one/*": url, "/two": url])
        let hosts = AllowedHosts(.url(url))
        let notAllowed = try [
            ["Host": "evil.example"], ["Host": "localhost", "Origin": "https://evil.example"],
        ].map {
            (headers: HeaderList) in
            let request = try HTTPServerRequest(method: "GET", target: "/", headers: headers)
            guard case .nowhere(let status, let text) = hosts.refusal(of: request) else { return "" }
            return "\(status) \(text)"
        }
        return [
            try explanation(.proxy, "CONNECT", "example.com:443"),
            try explanation(.proxy, "CONNECT", "example.com:80"),
            try explanation(.url(url), "CONNECT", "example.com:8443"), try explanation(.proxy, "GET", "/users"),
            try explanation(.url(url), "OPTIONS", "*"),
            try explanation(.url(url), "GET", "/chat", ["Host": "a", "Upgrade": "websocket"]),
            try explanation(paths, "GET", "/three"),
            try explanation(.hosts(["one.localhost": url]), "GET", "/", ["Host": "two.localhost"]),
            try explanation(.url(url), "GET", "http://other.example/users"),
            try explanation(.url(version), "GET", "/..;/admin?x"),
        ] + notAllowed
    }

    @Test("Every message of the server is in the golden file")
    func messages() throws {
        let sections = [
            ("Errors of the API", Self.errors.map { "\($0)" }),
            ("Requests that are not forwarded", try explanations()),
            ("Requests that are rejected", Self.refusals.map { "\($0.status) \($0)" }),
            ("Invalid responses of a handler", Self.responseErrors.map { "\($0)" }),
        ]
        let text = sections.map { title, messages in "# \(title)\n\n" + messages.joined(separator: "\n") + "\n"
        }
        .joined(separator: "\n")
        try expectGolden(text, "messages.txt")
    }
}

/// Compares a text with a file in `Golden`. With `WRITE_GOLDEN` set, the file is written first.
private func expectGolden(_ text: String, _ name: String, at location: SourceLocation = #_sourceLocation) throws
{
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Golden").appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil { try Data(text.utf8).write(to: file) }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == golden, "see Golden/\(name)", sourceLocation: location)
}
