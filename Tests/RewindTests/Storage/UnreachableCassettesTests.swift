import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct UnreachableCassettesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        // A path below a file can neither exist nor be created, even by root.
        try folder.put("Users")
    }

    private var search: CassetteSearch {
        CassetteSearch(
            workingDirectory: "/",
            testBundle: folder["AppTests.xctest"],
            resources: folder["AppTests.xctest"]
        )
    }

    @Test(
        "A folder that exists or can be created is used, even with cassettes in the bundle",
        arguments: ["", "Cassettes/a", "a/b/c/d", "Users/UserTests"]
    )
    func reached(_ name: String) throws {
        try folder.put("AppTests.xctest/Cassettes/")
        #expect(search.reached(folder[name]) == .init(directory: folder[name]))
    }

    @Test(
        "An unreachable folder is replaced with its copy in the bundle",
        arguments: [
            ("Users/me/App/Cassettes/UserTests", "Cassettes/UserTests"),
            ("Users/me/Cassettes/App/Cassettes", "Cassettes"),
            ("Users/me/Cassettes/a/b", "Cassettes/a/b"), ("Users/me/App/Fixtures", "Cassettes"),
        ]
    )
    func shipped(_ directory: String, _ inBundle: String) throws {
        try folder.put("AppTests.xctest/Cassettes/")
        let reached = search.reached(folder[directory])
        #expect(reached.directory.path == folder["AppTests.xctest/\(inBundle)"].path)
        #expect(reached.isReadOnly)
    }

    @Test("An unreachable folder without a copy in the bundle is read-only")
    func nothingShipped() {
        let directory = folder["Users/me/App/Cassettes"]
        #expect(search.reached(directory) == .init(directory: directory, isReadOnly: true))
    }

    @Test("A folder in the bundle is read-only, even if the test names it")
    func inTheBundle() throws {
        try folder.put("AppTests.xctest/Cassettes/")
        #expect(search.reached(folder["AppTests.xctest/Cassettes/a"]).isReadOnly)
        #expect(!search.reached(folder["AppTests.xctest/CassettesOfOthers"]).isReadOnly)
    }
}
