#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import XCTest

    /// What `StorageProcessTests` runs in processes of their own, which begin and end with files of cookies and caches.
    final class StorageFixtures: XCTestCase {
        /// The variable with the server's address.
        static let server = "REWIND_FIXTURE_SERVER"

        private func url(_ path: String) throws -> URL {
            guard let server = ProcessInfo.processInfo.environment[Self.server] else {
                throw XCTSkip("run by StorageProcessTests in a process of its own")
            }
            return try XCTUnwrap(URL(string: path, relativeTo: URL(string: server))).absoluteURL
        }

        private func tell(_ path: String) async throws {
            let outcome = await Outcome(of: try url(path))
            let names =
                HTTPCookieStorage.shared.cookies(for: try url("/"))?.map { "\($0.name)=\($0.value)" } ?? []
            print("ANSWER", path, outcome.text, outcome.headers["X-Sent-Cookie"] ?? "-", names)
        }

        private func cached(_ text: String) throws -> CachedURLResponse {
            let response = HTTPURLResponse(
                url: try url("cacheable"),
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["Cache-Control": "max-age=1000"]
            )
            return CachedURLResponse(response: try XCTUnwrap(response), data: Data(text.utf8))
        }

        /// An app that runs without Rewind.
        func testThatAnotherRunLeavesSomething() async throws {
            try await tell("login/another")
            URLCache.shared.storeCachedResponse(
                try cached("another"),
                for: URLRequest(url: try url("cacheable"))
            )
            try await tell("cacheable")
            try await tell("echo")
        }

        /// A test of that app, whose process is killed in the middle.
        func testThatIsKilled() async throws {
            let folder = try TemporaryDirectory()
            try await withCassette("talk", in: folder.url, mode: .live) { _ in
                try await tell("cacheable")
                try await tell("echo")
                try await tell("login/ada")
                URLCache.shared.storeCachedResponse(
                    try cached("ada"),
                    for: URLRequest(url: try url("cacheable"))
                )
                try await tell("cacheable")
                try await tell("echo")
                fflush(nil)
                try? FileManager.default.removeItem(at: folder.url)
                kill(getpid(), SIGKILL)
            }
        }
    }
#endif
