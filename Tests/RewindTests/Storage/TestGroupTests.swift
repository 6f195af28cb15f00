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
        #expect(Cassette.recorder(of: folder[shared]) == nil)
    }

    @Test("A folder without the class name is used unchanged")
    func ownFolder() throws {
        try record("app", by: "AppTests")
        try folder.put("Tests/KitTests/UserTests.swift", "class UserTests: CassetteTestCase {}")
        #expect(
            try location("KitTests", in: "Shared").source
                == CassetteLocation(folder["Shared/testPage.har"]).source
        )
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
        #expect(Cassette.recorder(of: folder[shared])?.module == "AppTests")
        #expect(try Cassette(contentsOf: folder[shared]).recorder?.module == "AppTests")
        let texts = [
            "", "[]", "{", "{\"log\": {\"_rewind\": {\"module\": 1}}}",
            "{\"log\": {\"entries\": [], \"_rewind\": {\"module\": \"A\"}}}",
            "{\"log\": []}", "{\"log\": {\"_rewind\": {\"module\": \"A\"", "not json",
        ]
        for text in texts {
            try folder.put("a.har", text)
            #expect(Cassette.recorder(of: folder["a.har"]) == nil, "\(text)")
        }
        #expect(Cassette.recorder(of: folder["gone.har"]) == nil)
        #expect(Cassette.recorder(of: folder.url) == nil)
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

    // MARK: One folder for several groups

    private func shared(_ group: String, _ name: String = "testPage", isChosen: Bool = false) throws
        -> CassetteLocation
    {
        try TestGroup(group, module: "AppTests").location(
            of: name,
            recordedBy: "testPage",
            isChosen: isChosen,
            in: folder["Shared"],
            CassetteSearch(workingDirectory: folder.url.path, testBundle: folder.url)
        )
    }

    private func record(_ text: String, at location: CassetteLocation, _ mode: RecordingMode = .once) throws {
        let stubber = try Stubber(at: location, mode: mode, environment: Environment([:]))
        try stubber.record("https://h/a", text)
        try stubber.eject()
    }

    @Test("Two classes with the same method in one folder have separate cassettes, in every order")
    func twins() throws {
        try folder.put("Tests/AppTests/Other.swift", "class OtherTests: CassetteTestCase {}")
        for _ in 0..<2 {
            try record("users", at: try shared("UserTests"), .all)
            try record("others", at: try shared("OtherTests"), .all)
        }
        #expect(try shared("UserTests").source == folder["Shared/testPage.har"])
        #expect(try shared("OtherTests").source == folder["Shared/OtherTests/testPage.har"])
        for (group, text) in [("UserTests", "users"), ("OtherTests", "others")] {
            let cassette = try Cassette(contentsOf: try shared(group).current)
            #expect(cassette.interactions.map(\.text) == [text])
            #expect(cassette.recorder == RecordingTest(module: "AppTests", suite: group, test: "testPage"))
        }
    }

    @Test("Two classes that record one file at the same time have separate files from the start")
    func atOnce() throws {
        let locations = try [shared("UserTests"), shared("OtherTests"), shared("UserTests")]
        #expect(locations.map(\.source) == ["", "OtherTests/", ""].map { folder["Shared/\($0)testPage.har"] })
    }

    @Test("A class that was renamed keeps its cassettes, and so do those of earlier versions")
    func renamedGroup() throws {
        try record("users", at: try shared("FormerTests"))
        #expect(try shared("UserTests").source == folder["Shared/testPage.har"])
        try HARFormat.write(Cassette(interactions: [.page("https://h/a", "old")])).write(
            to: folder["Shared/testPage.har"]
        )
        for group in ["UserTests", "OtherTests"] {
            #expect(try shared(group).source == folder["Shared/testPage.har"])
        }
    }

    @Test("Tests share a cassette whose name they choose, and a recording says whose requests it replaces")
    func chosen() throws {
        try folder.put("Tests/AppTests/Other.swift", "class OtherTests: CassetteTestCase {}")
        let notes = Locked<[String]>([])
        try Note.withReader({ line in notes.withLock { $0.append(line) } }) {
            try record("users", at: try shared("UserTests", "session", isChosen: true))
            #expect(try shared("OtherTests", "session", isChosen: true).source == folder["Shared/session.har"])
            notes.withLock { $0 = [] }
            try record("users", at: try shared("UserTests", "session", isChosen: true), .all)
            #expect(notes.withLock { $0 }.isEmpty)
            try record("others", at: try shared("OtherTests", "session", isChosen: true), .all)
        }
        let path = folder["Shared/session.har"].path
        #expect(
            notes.withLock { $0 } == [
                "Rewind: \(path) was recorded by AppTests.UserTests.testPage and now contains the recording of"
                    + " AppTests.OtherTests.testPage\n"
            ]
        )
    }

    @Test("A miss names the test that recorded the cassette, if it is another one")
    func recorder() throws {
        try record("users", at: try shared("UserTests", "session", isChosen: true))
        for (group, isShown) in [("UserTests", false), ("OtherTests", true)] {
            let location = try shared(group, "session", isChosen: true)
            let stubber = try Stubber(at: location, mode: .never, environment: Environment([:]))
            guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h/b")) else {
                Issue.record("not refused")
                continue
            }
            let line = "\n  recorder: AppTests.UserTests.testPage\n"
            #expect(miss.description.contains(line) == isShown)
        }
    }
}
