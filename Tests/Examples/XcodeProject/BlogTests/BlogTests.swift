import RewindXCTest

/// A test of an Xcode project. Its cassette is in the folder `Cassettes` beside the project and is played, not recorded.
final class BlogTests: CassetteTestCase {
    override var isRecording: Bool { false }

    func testPost() async throws {
        let url = try XCTUnwrap(URL(string: "https://blog.example.com/posts/1"))
        let (data, response) = try await URLSession.shared.data(from: url)
        XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
        XCTAssertEqual(String(decoding: data, as: UTF8.self), "The first post.")
    }
}
