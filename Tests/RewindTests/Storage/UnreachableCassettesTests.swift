import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct UnreachableCassettesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        // What is below a file can neither be there nor be made, whoever the user is.
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
        "One that is there or can be made is used, whatever the bundle holds",
        arguments: ["", "Cassettes/a", "a/b/c/d", "Users/UserTests"]
    )
    func reached(_ name: String) throws {
        try folder.put("AppTests.xctest/Cassettes/")
        #expect(search.reached(folder[name]) == .init(directory: folder[name]))
    }

    @Test(
        "Any other is looked for in the bundle, by what follows `Cassettes`",
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

    @Test("Without cassettes in the bundle it stays, and can only be read")
    func nothingShipped() {
        let directory = folder["Users/me/App/Cassettes"]
        #expect(search.reached(directory) == .init(directory: directory, isReadOnly: true))
    }

    @Test("A folder in the bundle can only be read, also where the test names it")
    func inTheBundle() throws {
        try folder.put("AppTests.xctest/Cassettes/")
        #expect(search.reached(folder["AppTests.xctest/Cassettes/a"]).isReadOnly)
        #expect(!search.reached(folder["AppTests.xctest/CassettesOfOthers"]).isReadOnly)
    }
}
