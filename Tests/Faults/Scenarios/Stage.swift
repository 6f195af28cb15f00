import Foundation
import Rewind
import RewindTestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where a scenario plays: a folder of its own and a real server, and what an onlooker would see.
final class Stage: Sendable {
    /// The folder of the cassettes.
    let folder: TemporaryDirectory
    /// The server, in another process, in which no point is armed.
    let upstream: URL
    private let seen = Locked<[String]>([])
    private let former = Locked<[[String: String]]>([])

    init(_ upstream: URL) throws {
        folder = try TemporaryDirectory()
        self.upstream = upstream
    }

    /// Notes what came of a step.
    func tell(_ text: String) { seen.withLock { $0.append(text) } }

    /// Notes an error with all that it says.
    func tell(_ error: any Error) {
        let platform = error as NSError
        tell("\(error) | \(error.localizedDescription) | \(platform.userInfo)")
    }

    /// Forgets what was noted.
    func forget() { seen.withLock { $0 = [] } }

    /// What was noted, without the name of the folder, which is another one each time.
    var story: [String] {
        seen.withLock { $0 }.map(withoutFolder)
    }

    private func withoutFolder(_ text: String) -> String {
        text.replacingOccurrences(of: folder.url.lastPathComponent, with: "folder")
    }

    /// The URL of a path of the server.
    func url(_ path: String) -> URL { URL(string: path, relativeTo: upstream)?.absoluteURL ?? upstream }

    /// A request that ends in time, whatever becomes of it.
    func request(_ path: String, _ method: String = "GET", body: String? = nil, type: String = "") -> URLRequest
    {
        var request = URLRequest(url: url(path), timeoutInterval: 30)
        request.httpMethod = method
        if let body {
            request.httpBody = Data(body.utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// Makes a request as an app does, to which an answer that is an error is a failure, but for a page that is not there.
    func send(_ request: URLRequest, in session: URLSession = .shared) async throws {
        let (data, response) = try await session.data(for: request)
        try check(data, response)
    }

    /// Gets a page.
    func get(_ path: String, in session: URLSession = .shared) async throws {
        try await send(request(path), in: session)
    }

    /// Notes an answer that is no failure.
    func check(_ data: Data?, _ response: URLResponse?) throws {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        tell("\(status) \(data?.count ?? 0) bytes")
        guard status < 400 || status == 404 else {
            throw AnswerFailure(text: "\(status) \(String(decoding: data ?? Data(), as: UTF8.self))")
        }
    }

    /// A configuration that does not wait for long.
    var configuration: Configuration {
        var configuration = Configuration()
        configuration.inFlightTimeout = 5
        return configuration
    }

    /// The archives in the folder, each as what is played of it, or as its bytes where it cannot be read.
    var archives: [String: String] {
        var archives: [String: String] = [:]
        for name in folder.files where name.hasSuffix(".har") {
            do {
                archives[name] = try Cassette(contentsOf: folder[name]).interactions.map { interaction in
                    let outcome = interaction.response.map { "\($0.status)" } ?? "\(interaction.outcome)"
                    return "\(interaction.request) \(outcome) \(Self.sum(interaction.response?.body.data))"
                }.joined(separator: "\n")
            } catch {
                archives[name] = "\(Self.sum(FileManager.default.contents(atPath: folder[name].path))) \(error)"
            }
        }
        return archives.mapValues(withoutFolder)
    }

    /// Keeps the archives as they are in the middle of a scenario, each of which is a whole one.
    func keepArchives() {
        let present = FaultPoint.aside { archives }
        former.withLock { $0.append(present) }
    }

    /// The archives that were kept.
    var formerArchives: [[String: String]] { former.withLock { $0 } }

    private static func sum(_ data: Data?) -> String {
        "\(data?.count ?? 0) bytes \(ContentChecksum(data ?? Data()).text)"
    }
}

/// An answer that says that the server failed.
struct AnswerFailure: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}

/// A story that is prepared, and then told with a point armed.
struct Scenario: Sendable {
    let name: String
    var prepare: @Sendable (Stage) async throws -> Void = { _ in }
    let act: @Sendable (Stage) async throws -> Void

    static var all: [Scenario] {
        recording + playing + stubbing + keeping + importing + serving + testing
    }
}
