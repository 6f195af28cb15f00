import Foundation
import RewindTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The code of the README, compiled and run; `ReadmeTests` sees to it that it is the same.

@Suite(.cassettes) struct UserTests {
    @Test func timeline() async throws {
        let posts = try await APIClient().timeline()
        #expect(posts.count == 20)
    }

    @Test(arguments: [1, 2]) func page(number: Int) async throws {
        let posts = try await APIClient().timeline(page: number)
        #expect(posts.count == 20)
    }
}

/// The app of the README; `Docs/Contributing.md` tells how its cassettes are recorded.
private struct APIClient {
    struct Post: Decodable {
        let id: Int
        let title: String
    }

    func timeline(page: Int = 1) async throws -> [Post] {
        let address = "http://127.0.0.1:8017/timeline?page=\(page)"
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        let (data, _) = try await URLSession.shared.data(from: url)
        return try JSONDecoder().decode([Post].self, from: data)
    }
}
