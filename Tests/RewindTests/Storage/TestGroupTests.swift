import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct TestGroupTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.put("Package.swift")
        try folder.put("Tests/AppTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
    }

    private func location(_ module: String, in directory: String = "Cassettes/UserTests") throws
        -> CassetteLocation
    {
        let search = CassetteSearch(workingDirectory: folder.url.path, testBundle: folder.url)
        return try TestGroup("UserTests", module: module).location(
            of: "testPage",
            in: folder[directory],
            search
        )
    }

    private func record(_ text: String, by module: String, _ mode: RecordingMode = .once) throws {
        let stubber = try Stubber(at: location(module), mode: mode, environment: Environment([:]))
        try stubber.record("https://h/a", text)
        try stubber.eject()
    }

    private func file(_ module: String) throws -> String {
        let path = try location(module).current.path
        return String(path.dropFirst(folder.url.path.count + 1))
    }

    private let shared = "Cassettes/UserTests/testPage.har"

    @Test("Classes with the same name in two modules have separate cassettes")
    func apart() throws {
        try record("app", by: "AppTests")
        try folder.put("Tests/KitTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
        #expect(try file("KitTests") == "Cassettes/KitTests.UserTests/testPage.har")
        try record("kit", by: "KitTests")
        for _ in 0..<2 {
            #expect(try file("AppTests") == shared)
            #expect(try file("KitTests") == "Cassettes/KitTests.UserTests/testPage.har")
            try record("app again", by: "AppTests", .all)
            try record("kit again", by: "KitTests", .all)
        }
        #expect(
            folder.files.filter { $0.hasSuffix(".har") } == [
                "Cassettes/KitTests.UserTests/testPage.har", shared,
            ]
        )
        #expect(
            try Cassette(contentsOf: location("AppTests").current).interactions.map(\.text) == ["app again"]
        )
        #expect(
            try Cassette(contentsOf: location("KitTests").current).interactions.map(\.text) == ["kit again"]
        )
    }

    @Test("A renamed module and a moved class keep their cassettes")
    func renamed() throws {
        try record("app", by: "OldTests")
        #expect(try file("AppTests") == shared)
    }

    @Test("Cassettes without a module stay in place")
    func unnamed() throws {
        try folder.put("Tests/KitTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
        try folder.put("Cassettes/UserTests/")
        try HARFormat.write(Cassette(interactions: [.page("https://h/a", "old")])).write(to: folder[shared])
        #expect(try file("AppTests") == shared)
        #expect(try file("KitTests") == shared)
        let stubber = try Stubber(at: location("AppTests"), mode: .newEpisodes, environment: Environment([:]))
        try stubber.record("https://h/b", "new")
        try stubber.eject()
        // Adding to a cassette changes nothing else in it.
        #expect(Cassette.recordingModule(of: folder[shared]) == nil)
    }

    @Test("A folder without the class name is used unchanged")
    func ownFolder() throws {
        try record("app", by: "AppTests")
        try folder.put("Tests/KitTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
        #expect(try location("KitTests", in: "Shared") == CassetteLocation(folder["Shared/testPage.har"]))
    }

    @Test("In a bundle without sources, each class plays its own cassette")
    func bundle() throws {
        try record("app", by: "AppTests")
        try folder.put("Tests/KitTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
        try record("kit", by: "KitTests")
        let device = try TemporaryDirectory()
        try FileManager.default.copyItem(at: folder["Cassettes"], to: device["Cassettes"])
        let search = CassetteSearch(
            workingDirectory: "/",
            testBundle: device.url,
            resources: device.url
        )
        for (module, text) in [("AppTests", "app"), ("KitTests", "kit")] {
            let directory = try search.cassettes().directory.appendingPathComponent("UserTests")
            let location = try TestGroup("UserTests", module: module).location(
                of: "testPage",
                in: directory,
                search
            )
            #expect(location.isReadOnly)
            #expect(try Cassette(contentsOf: location.current).interactions.map(\.text) == [text])
        }
    }

    @Test("The module is found without reading the interactions")
    func module() throws {
        try record(String(repeating: "long ", count: 3_000), by: "AppTests")
        #expect(Cassette.recordingModule(of: folder[shared]) == "AppTests")
        #expect(try Cassette(contentsOf: folder[shared]).recordingModule == "AppTests")
        let texts = [
            "", "[]", "{", "{\"log\": {\"_rewind\": {\"module\": 1}}}",
            "{\"log\": {\"entries\": [], \"_rewind\": {\"module\": \"A\"}}}",
            "{\"log\": []}", "{\"log\": {\"_rewind\": {\"module\": \"A\"", "not json",
        ]
        for text in texts {
            try folder.put("a.har", text)
            #expect(Cassette.recordingModule(of: folder["a.har"]) == nil, "\(text)")
        }
        #expect(Cassette.recordingModule(of: folder["gone.har"]) == nil)
        #expect(Cassette.recordingModule(of: folder.url) == nil)
    }

    @Test("A cassette without a module belongs to the first class that records it again")
    func recordedAgain() throws {
        try folder.put("Tests/KitTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
        try folder.put("Cassettes/UserTests/")
        try HARFormat.write(Cassette(interactions: [.page("https://h/a", "old")])).write(to: folder[shared])
        try record("app", by: "AppTests", .all)
        #expect(try file("AppTests") == shared)
        #expect(try file("KitTests") == "Cassettes/KitTests.UserTests/testPage.har")
    }
}
