import Foundation
import Rewind
import RewindTestSupport
import Testing

struct CassetteLocationTests {
    private static let shelf = URL(fileURLWithPath: "/project/Cassettes", isDirectory: true)

    @Test(
        "A name stands for a file in the folder, with the extension it brings or `har`",
        arguments: [
            ("timeline", "timeline.har"),
            ("Users/list", "Users/list.har"),
            ("Users/v1/list", "Users/v1/list.har"),
            ("timeline.har", "timeline.har"),
            ("timeline.HAR", "timeline.HAR"),
            ("timeline.json", "timeline.json"),
            ("timeline.yml", "timeline.yml"),
            ("version 1.2", "version 1.2.har"),
            ("a..b", "a..b.har"),
            ("...", "....har"),
            ("50%25", "50%25.har"),
            ("Größe/日本", "Größe/日本.har"),
            ("what?#now", "what?#now.har"),
        ] as [(String, String)]
    )
    func names(_ name: String, _ file: String) throws {
        let location = try CassetteLocation(name: name, in: Self.shelf)
        #expect(location.source.path == "/project/Cassettes/\(file)")
    }

    @Test(
        "The file of another system is read where it is, and recordings go to an archive beside it",
        arguments: ["a.json", "a.plist", "a.yml", "a.YAML", "a.tail", "a.response", "a.har", "a.HAR", "a"]
    )
    func foreign(_ name: String) throws {
        let location = try CassetteLocation(name: name, in: Self.shelf)
        let isArchive = ["a", "a.har", "a.HAR"].contains(name)
        #expect(location.source.lastPathComponent == (name == "a" ? "a.har" : name))
        #expect(
            location.destination.lastPathComponent == (isArchive ? location.source.lastPathComponent : "a.har")
        )
        #expect(location.destination.deletingLastPathComponent() == location.source.deletingLastPathComponent())
        #expect(CassetteLocation(location.source) == location)
        #expect(
            CassetteLocation(source: location.destination, destination: location.source).destination
                == location.destination
        )
    }

    @Test(
        "A name under which a failed recording would be kept is refused",
        arguments: [
            "a.failed", "a.failed.har", "a.FAILED.json", "a.failed.plist", "b/a.failed", "a.recovered",
            "b/a.Recovered.har",
        ]
    )
    func reservedNames(_ name: String) throws {
        #expect(throws: Stubber.ConfigurationError.invalidCassetteName(name)) {
            try CassetteLocation(name: name, in: Self.shelf)
        }
    }

    @Test(
        "A name that leads out of the folder, or names no file, is refused",
        arguments: ["..", "../secret", "a/../../b", "a/..", "a/../b", "/etc/passwd", "/", "", "a/", "a\0b"]
    )
    func refusedNames(_ name: String) throws {
        let error = try #require(throws: Stubber.ConfigurationError.self) {
            try CassetteLocation(name: name, in: Self.shelf)
        }
        #expect(error == .invalidCassetteName(name))
        #expect(error.localizedDescription.contains("'\(name)'"))
        #expect(error.description.contains("without `..`"))
    }

    @Test("A cassette exists when there is a file to read, or one that was recorded elsewhere")
    func exists() throws {
        let folder = try TemporaryDirectory()
        let location = CassetteLocation(source: folder["a.har"], destination: folder["b.har"])
        #expect(!location.exists)
        try Data().write(to: folder["b.har"])
        #expect(location.exists)
        #expect(CassetteLocation(folder["b.har"]).exists)
        #expect(!CassetteLocation(folder["a.har"]).exists)
    }

    @Test("Two ways to spell a place are one location")
    func spelling() {
        let plain = CassetteLocation(URL(fileURLWithPath: "/project/Cassettes/a.har"))
        #expect(CassetteLocation(URL(fileURLWithPath: "/project/./Tests/../Cassettes/a.har")) == plain)
    }

    @Test("A stubber for a named cassette puts it in the folder it is given")
    func stubber() throws {
        let folder = try TemporaryDirectory()
        let stubber = try Stubber(cassette: "Users/list", in: folder.url)
        #expect(stubber.location == CassetteLocation(folder["Users/list.har"]))
        #expect(stubber.testName == "Users/list")
        #expect(throws: Stubber.ConfigurationError.invalidCassetteName("../list")) {
            try Stubber(cassette: "../list", in: folder.url)
        }
    }
}
