import Foundation
import Rewind
import RewindTestSupport
import Testing

@Suite("Where a cassette is")
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
        #expect(throws: ConfigurationError.nameIsReserved(name)) {
            try CassetteLocation(name: name, in: Self.shelf)
        }
    }

    @Test(
        "A name that leads out of the folder, or names no file, is refused",
        arguments: ["..", "../secret", "a/../../b", "a/..", "a/../b", "/etc/passwd", "/", "", "a/", "a\0b"]
    )
    func refusedNames(_ name: String) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try CassetteLocation(name: name, in: Self.shelf)
        }
        #expect(error == .nameLeadsOutside(name))
        #expect(error.localizedDescription.contains(name.debugDescription))
        #expect(error.localizedDescription.contains("without `..`"))
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
        #expect(throws: ConfigurationError.nameLeadsOutside("../list")) {
            try Stubber(cassette: "../list", in: folder.url)
        }
    }
}

@Suite("The folder of the cassettes")
struct CassetteDirectoryTests {
    private let folder: TemporaryDirectory
    private let none = Environment([:])

    init() throws { folder = try TemporaryDirectory() }

    @Test(
        "It is `Cassettes` at the root of the package, from however deep within",
        arguments: ["", "Tests", "Tests/A/B"]
    )
    func packageRoot(_ place: String) throws {
        try put("Package.swift")
        try put("Tests/A/B/Test.swift")
        let path = folder.url.path + "/" + place
        let directory = try CassetteDirectory.ofPackage(containing: path, environment: none)
        #expect(directory.path == folder["Cassettes"].path)
        let file = try CassetteDirectory.ofPackage(containing: path + "/Test.swift", environment: none)
        #expect(file.path == folder["Cassettes"].path)
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("The nearest package counts, not one around it")
    func nestedPackages() throws {
        try put("Package.swift")
        try put("Inner/Package.swift")
        try put("Inner/Tests/Test.swift")
        let place = folder["Inner/Tests/Test.swift"].path
        #expect(
            try CassetteDirectory.ofPackage(containing: place, environment: none).path
                == folder["Inner/Cassettes"].path
        )
    }

    @Test("Without a package it is an error that says where was looked and what mends it")
    func noPackage() throws {
        let place = folder["Tests/Test.swift"].path
        let error = try #require(throws: ConfigurationError.self) {
            try CassetteDirectory.ofPackage(containing: place, environment: none)
        }
        #expect(error == .noPackageRoot(above: place))
        for word in [place, "Package.swift", "cassetteDirectory", "REWIND_CASSETTES"] {
            #expect(error.localizedDescription.contains(word))
        }
    }

    @Test("`REWIND_CASSETTES` names another folder, with or without a package")
    func named() throws {
        let variables = Environment(["REWIND_CASSETTES": folder["shelf"].path])
        let place = folder["Tests/Test.swift"].path
        for _ in 0..<2 {
            let directory = try CassetteDirectory.ofPackage(containing: place, environment: variables)
            #expect(directory.path == folder["shelf"].path)
            try put("Package.swift")
        }
    }

    @Test("An empty `REWIND_CASSETTES` names nothing")
    func emptyName() throws {
        try put("Package.swift")
        let variables = Environment(["REWIND_CASSETTES": ""])
        let directory = try CassetteDirectory.ofPackage(containing: folder.url.path, environment: variables)
        #expect(directory.path == folder["Cassettes"].path)
    }

    @Test("Beside a source file it is `Cassettes` in the same folder")
    func beside() {
        #expect(CassetteDirectory.beside("/project/Tests/UserTests.swift").path == "/project/Tests/Cassettes")
    }

    @Test("A folder is reachable when it is there or could be made")
    func reachability() throws {
        #expect(CassetteDirectory.isReachable(folder.url))
        #expect(CassetteDirectory.isReachable(folder["Cassettes"]))
        #expect(CassetteDirectory.isReachable(folder["Cassettes/UserTests"]))
        #expect(!CassetteDirectory.isReachable(folder["gone/Cassettes/UserTests"]))
        #expect(!CassetteDirectory.isReachable(CassetteDirectory.unreachable))
    }

    private func put(_ name: String) throws {
        let file = folder[name]
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data().write(to: file)
    }
}

@Suite("A source tree out of reach")
struct UnreachableSourceTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("A reachable source tree is used, whatever the bundle holds")
    func reachable() throws {
        let location = try location(in: folder["Cassettes/UserTests"])
        #expect(location == CassetteLocation(folder["Cassettes/UserTests/list.har"]))
    }

    @Test("An unreachable one is replaced: read from the bundle, written to the documents")
    func unreachable() throws {
        let location = try location(in: CassetteDirectory.unreachable)
        #expect(location.source == folder["bundle/Cassettes/UserTests/list.har"])
        #expect(location.destination == folder["documents/Cassettes/UserTests/list.har"])
    }

    @Test("Without a bundle or documents there is nothing to replace it with")
    func nothingElse() throws {
        let expected = CassetteLocation(CassetteDirectory.unreachable.appendingPathComponent("list.har"))
        for (resources, documents) in [(nil, folder.url), (folder.url, nil)] as [(URL?, URL?)] {
            let location = try CassetteLocation(
                name: "list",
                in: CassetteDirectory.unreachable,
                testClass: "UserTests",
                resources: resources,
                documents: documents
            )
            #expect(location == expected)
        }
    }

    @Test("A name that leads out of the folder is refused there, too")
    func refusedName() {
        #expect(throws: ConfigurationError.nameLeadsOutside("../list")) {
            try location("../list", in: CassetteDirectory.unreachable)
        }
    }

    @Test(
        "The shipped cassette is played, and what is recorded beyond it is kept in the documents and played next"
    )
    func recording() throws {
        let location = try location(in: CassetteDirectory.unreachable)
        try FileManager.default.createDirectory(
            at: location.source.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let shipped = HARFormat.write(Cassette(interactions: [.page("https://h/a", "shipped")]))
        try shipped.write(to: location.source)

        let recorder = try stubber(at: location, .newEpisodes)
        #expect(recorder.decision(on: "https://h/a") == .replays("shipped"))
        try recorder.record("https://h/b", "recorded")
        #expect(try recorder.eject().cassette == location.destination)
        #expect(try Data(contentsOf: location.source) == shipped)

        let player = try stubber(at: location, .none)
        #expect(player.decision(on: "https://h/a") == .replays("shipped"))
        #expect(player.decision(on: "https://h/b") == .replays("recorded"))
    }

    private func location(_ name: String = "list", in directory: URL) throws -> CassetteLocation {
        try CassetteLocation(
            name: name,
            in: directory,
            testClass: "UserTests",
            resources: folder["bundle"],
            documents: folder["documents"]
        )
    }

    private func stubber(at location: CassetteLocation, _ mode: RecordingMode) throws -> Stubber {
        try Stubber(at: location, mode: mode, environment: Environment([:]))
    }
}
