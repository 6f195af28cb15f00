import ExampleBlog
import Foundation
import RewindTesting

/// Tests the client with Swift Testing. The tests run in parallel through the shared session, each with its own cassette.
@Suite(.cassettes) struct ReadingTests {
    @Test func timeline() async throws {
        let posts = try await Blog().timeline()
        #expect(posts.first?.title == "Post 1")
    }

    @Test(arguments: [2, 3]) func page(number: Int) async throws {
        let posts = try await Blog().timeline(page: number)
        #expect(posts.first?.id == (number - 1) * 20 + 1)
    }

    @Test func pagesAtOnce() async throws {
        async let first = Blog().timeline(page: 1)
        async let second = Blog().timeline(page: 2)
        let posts = try await first + second
        #expect(posts.map(\.id) == Array(1...40))
    }

    /// A test of a failure needs no recording.
    @Test(.stubs) func offline() async throws {
        Stubber.current?.stub(.any, respond: .failure(.notConnectedToInternet))
        await #expect(throws: URLError.self) { try await Blog().timeline() }
    }
}
