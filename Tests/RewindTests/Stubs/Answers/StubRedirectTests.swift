import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct StubRedirectTests {
    /// The request that follows a redirect (RFC 9110 section 15.4).
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String
        let next: String
        let keepsBody: Bool

        init(_ status: Int, _ method: String, _ next: String, keepsBody: Bool) {
            (self.status, self.method, self.next, self.keepsBody) = (status, method, next, keepsBody)
        }

        var testDescription: String { "\(status) \(method)" }
    }

    private static let rows = [
        Row(301, "GET", "GET", keepsBody: false), Row(302, "GET", "GET", keepsBody: false),
        Row(301, "POST", "GET", keepsBody: false), Row(302, "POST", "GET", keepsBody: false),
        Row(303, "POST", "GET", keepsBody: false), Row(303, "PUT", "GET", keepsBody: false),
        Row(301, "PUT", "PUT", keepsBody: true), Row(302, "PATCH", "PATCH", keepsBody: true),
        Row(307, "POST", "POST", keepsBody: true), Row(308, "POST", "POST", keepsBody: true),
        Row(307, "PUT", "PUT", keepsBody: true), Row(308, "DELETE", "DELETE", keepsBody: true),
    ]

    @Test("A redirect changes the method and the body as live", arguments: rows)
    func methodAndBody(row: Row) async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/old"), respond: .redirect(to: "https://h.example/new", status: row.status))
            let target = stubber.stub(.path("/new"), respond: .status(204))
            var request = URLRequest(url: URL(string: "https://h.example/old")!)
            request.httpMethod = row.method
            if row.method != "GET" { request.httpBody = Data("body".utf8) }
            #expect(await Outcome(of: request).status == 204)
            let next = try #require(target.requests.first)
            #expect(next.method == row.next)
            #expect(next.body?.data == (row.keepsBody ? Data("body".utf8) : nil))
        }
    }

    @Test("A redirect sends header fields, but credentials only within one origin", arguments: [true, false])
    func headers(staysAtHome: Bool) async throws {
        try await withStubs { stubber in
            let host = staysAtHome ? "h.example" : "other.example"
            stubber.stub(.path("/old"), respond: .redirect(to: "https://\(host)/new", status: 307))
            let target = stubber.stub(.path("/new"), respond: .status(204))
            var request = URLRequest(url: URL(string: "https://h.example/old")!)
            request.setValue("kept", forHTTPHeaderField: "X-Own")
            request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
            _ = await Outcome(of: request)
            let next = try #require(target.requests.first)
            #expect(next.headers["X-Own"] == "kept")
            #expect(next.headers["Authorization"] == (staysAtHome ? "Bearer t" : nil))
        }
    }

    @Test("Stubs that redirect in a circle fail with too many redirects")
    func circle() async throws {
        try await withStubs { stubber in
            let stub = stubber.stub(.any, respond: .redirect(to: "/again"))
            let outcome = await Outcome(of: URL(string: "https://h.example/again")!)
            #expect(outcome.failure == "NSURLErrorDomain \(NSURLErrorHTTPTooManyRedirects)")
            #expect(stub.callCount == 21)
        }
    }
}
