import Foundation
import RewindServer
import XCTest

/// Tests an app in another process through the server, like a UI test.
final class AppTests: XCTestCase {
    func testTheAppShowsTheFirstPosts() throws {
        let backend = try XCTUnwrap(URL(string: "http://127.0.0.1:8017"))
        let server = try CassetteServer(upstream: backend, cassette: "AppTests/testTheAppShowsTheFirstPosts")
        try server.start()
        let output = try launchApp(environment: server.environment("BASE_URL"))
        try server.stop()
        XCTAssertEqual(output, "1 Post 1\n2 Post 2\n3 Post 3\n")
    }

    /// Replaces `XCUIApplication`, its `launchEnvironment` and `launch()`.
    private func launchApp(environment: [String: String]) throws -> String {
        let bundle = Bundle(for: Self.self).bundleURL
        let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        let app = Process()
        app.executableURL = products.appendingPathComponent("ExampleApp")
        // An empty folder for its data, so that it sends no cookies of an earlier run.
        let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: home) }
        let storage = ["XDG_DATA_HOME": home.path, "XDG_CACHE_HOME": home.path]
        app.environment = ProcessInfo.processInfo.environment.merging(storage) { $1 }.merging(environment) {
            $1
        }
        let output = Pipe()
        app.standardOutput = output
        try app.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        app.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
