#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import XCTest

    /// Tests that `StorageProcessTests` runs in child processes with cookie and cache files.
    final class StorageFixtures: XCTestCase {
        /// The environment variable with the URL of the server.
        static let server = "REWIND_FIXTURE_SERVER"

        private func url(_ path: String) throws -> URL {
            guard let server = ProcessInfo.processInfo.environment[Self.server] else {
                throw XCTSkip("run by StorageProcessTests in a child process")
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

        /// An earlier run of an app without Rewind.
        func testEarlierRun() async throws {
            try await tell("login/another")
            URLCache.shared.storeCachedResponse(
                try cached("another"),
                for: URLRequest(url: try url("cacheable"))
            )
            try await tell("cacheable")
            try await tell("echo")
        }

        /// A test of that app, which kills its process.
        func testKilled() async throws {
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
