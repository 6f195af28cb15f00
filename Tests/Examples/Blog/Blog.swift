import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of a small blog, like that of an app. It contains no code for tests.
public struct Blog: Sendable {
    /// The address of the server.
    public var baseURL: URL
    /// The session that makes the requests.
    public var session: URLSession
    private var token: String?

    /// Creates a client that is not signed in.
    /// - Parameters:
    ///   - baseURL: The address of the server; port 8017 of this machine by default.
    ///   - session: The session that makes the requests; the shared one by default.
    public init(baseURL: URL? = nil, session: URLSession = .shared) {
        self.baseURL = baseURL ?? URL(string: "http://127.0.0.1:8017") ?? URL(fileURLWithPath: "/")
        self.session = session
    }

    /// The posts of a page, twenty of them.
    public func timeline(page: Int = 1) async throws -> [Post] {
        try await send("GET", "timeline?page=\(page)")
    }

    /// Returns a client that may publish posts.
    /// - Throws: ``BlogError/rejected(status:)`` if the name or the password is wrong.
    public func signedIn(name: String, password: String) async throws -> Blog {
        let session: Session = try await send("POST", "sessions", ["name": name, "password": password])
        var blog = self
        blog.token = session.accessToken
        return blog
    }

    /// Publishes a post.
    /// - Throws: ``BlogError/rejected(status:)`` if the client is not signed in.
    public func publish(_ title: String) async throws -> Post {
        try await send("POST", "posts", ["title": title])
    }

    /// The photo with a name.
    public func photo(_ name: String) async throws -> Data {
        try await data("GET", "photos/\(name)")
    }

    private func send<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ fields: [String: String]? = nil
    ) async throws -> Answer {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: await data(method, path, fields))
    }

    private func data(_ method: String, _ path: String, _ fields: [String: String]? = nil) async throws -> Data
    {
        guard let url = URL(string: path, relativeTo: baseURL) else { throw URLError(.badURL) }
        var request = URLRequest(url: url.absoluteURL)
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let fields {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONEncoder().encode(fields)
        }
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else { throw BlogError.rejected(status: status) }
        return data
    }

    private struct Session: Decodable {
        let accessToken: String
    }
}

/// A post of the blog.
public struct Post: Codable, Hashable, Sendable {
    /// Its number.
    public let id: Int
    /// Its title.
    public let title: String
}

/// An error of the server.
public enum BlogError: Error, Hashable {
    /// The server answered with a status other than success.
    case rejected(status: Int)
}
