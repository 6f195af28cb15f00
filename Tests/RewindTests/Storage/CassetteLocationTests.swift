import Foundation
import Rewind
import RewindTestSupport
import Testing

struct CassetteLocationTests {
    private static let directory = URL(fileURLWithPath: "/project/Cassettes", isDirectory: true)

    @Test(
        "A name is a file in the folder, with the extension har by default",
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
        let location = try CassetteLocation(name: name, in: Self.directory)
        #expect(location.source.path == "/project/Cassettes/\(file)")
    }

    @Test(
        "A file of another tool is read in place, and recordings go to an archive beside it",
        arguments: ["a.json", "a.plist", "a.yml", "a.YAML", "a.tail", "a.response", "a.har", "a.HAR", "a"]
    )
    func foreign(_ name: String) throws {
        let location = try CassetteLocation(name: name, in: Self.directory)
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
        "The name of a failed recording is rejected",
        arguments: [
            "a.failed", "a.failed.har", "a.FAILED.json", "a.failed.plist", "b/a.failed", "a.recovered",
            "b/a.Recovered.har",
        ]
    )
    func reservedNames(_ name: String) throws {
        #expect(throws: Stubber.ConfigurationError.invalidCassetteName(name)) {
            try CassetteLocation(name: name, in: Self.directory)
        }
    }

    @Test(
        "A name that leads out of the folder, or is not a file name, is rejected",
        arguments: ["..", "../secret", "a/../../b", "a/..", "a/../b", "/etc/passwd", "/", "", "a/", "a\0b"]
    )
    func refusedNames(_ name: String) throws {
        let error = try #require(throws: Stubber.ConfigurationError.self) {
            try CassetteLocation(name: name, in: Self.directory)
        }
        #expect(error == .invalidCassetteName(name))
        #expect(error.localizedDescription.contains("'\(name)'"))
        #expect(error.description.contains("without `..`"))
    }

    @Test("A cassette exists if its source or its recording exists")
    func exists() throws {
        let folder = try TemporaryDirectory()
        let location = CassetteLocation(source: folder["a.har"], destination: folder["b.har"])
        #expect(!location.exists)
        try Data().write(to: folder["b.har"])
        #expect(location.exists)
        #expect(CassetteLocation(folder["b.har"]).exists)
        #expect(!CassetteLocation(folder["a.har"]).exists)
    }

    @Test("Equivalent paths are the same location")
    func spelling() {
        let plain = CassetteLocation(URL(fileURLWithPath: "/project/Cassettes/a.har"))
        #expect(CassetteLocation(URL(fileURLWithPath: "/project/./Tests/../Cassettes/a.har")) == plain)
    }

    @Test("A stubber for a named cassette uses the given folder")
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
