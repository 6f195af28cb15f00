import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

@Suite("The folder of the cassettes, from a source")
struct SourceCassettesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func search(from source: String, _ variables: [String: String] = [:]) -> CassetteSearch {
        CassetteSearch(
            source: folder[source].path,
            workingDirectory: "/",
            testBundle: folder["AppTests.xctest"],
            resources: folder["AppTests.xctest"],
            environment: Environment(variables)
        )
    }

    @Test(
        "It is `Cassettes` at the root of the project, and is not made",
        arguments: ["Package.swift", "App.xcodeproj/"]
    )
    func root(_ marker: String) throws {
        try folder.put(marker)
        let found = try search(from: "Tests/A/B/Test.swift").cassettes()
        #expect(found.directory.path == folder["Cassettes"].path)
        #expect(!found.isReadOnly)
        #expect(!FileManager.default.fileExists(atPath: found.directory.path))
    }

    @Test("Without a project it is an error that says where was looked and what to do")
    func noProject() throws {
        try folder.put("Tests/Test.swift")
        try folder.put("AppTests.xctest/Cassettes/")
        let place = folder["Tests/Test.swift"].path
        let error = try #require(throws: ConfigurationError.self) {
            try search(from: "Tests/Test.swift").cassettes()
        }
        #expect(error == .noProjectRoot(above: place))
        for word in [
            place, "Package.swift", "Xcode project", "in: CassetteDirectory.beside(#filePath)",
            "REWIND_CASSETTES",
        ] {
            #expect(error.localizedDescription.contains(word))
        }
    }

    @Test("Where the source is out of reach, as on a device, it is that of the bundle, which can only be read")
    func device() throws {
        #expect(throws: ConfigurationError.noProjectRoot(above: folder["Tests/Test.swift"].path)) {
            try search(from: "Tests/Test.swift").cassettes()
        }
        try folder.put("AppTests.xctest/Cassettes/")
        let found = try search(from: "Tests/Test.swift").cassettes()
        #expect(found.directory.path == folder["AppTests.xctest/Cassettes"].path)
        #expect(found.isReadOnly)
    }

    @Test("`REWIND_CASSETTES` names another folder, with or without a project; an empty one names nothing")
    func named() throws {
        let variables = ["REWIND_CASSETTES": folder["shelf"].path]
        for _ in 0..<2 {
            let found = try search(from: "Tests/Test.swift", variables).cassettes()
            #expect(found.directory.path == folder["shelf"].path)
            try folder.put("Package.swift")
        }
        let found = try search(from: "Tests/Test.swift", ["REWIND_CASSETTES": ""]).cassettes()
        #expect(found.directory.path == folder["Cassettes"].path)
    }

    @Test("Beside a source file it is `Cassettes` in the same folder")
    func beside() {
        #expect(CassetteDirectory.beside("/project/Tests/UserTests.swift").path == "/project/Tests/Cassettes")
    }

    @Test("This project's own is found from its sources")
    func own() throws {
        let cassettes = try CassetteDirectory.ofProject(containing: #filePath)
        #expect(cassettes.path.hasSuffix("/Cassettes"))
        let package = cassettes.deletingLastPathComponent().appendingPathComponent("Package.swift")
        #expect(FileManager.default.fileExists(atPath: package.path))
    }
}

@Suite("The folder of the cassettes, from what a process tells")
struct ProcessCassettesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func search(
        workingDirectory: String? = nil,
        bundle: String = "DerivedData/App-abc/Build/Products/Debug/AppTests.xctest",
        buildFolders: [String] = []
    ) throws -> CassetteSearch {
        try folder.put(bundle + "/")
        return CassetteSearch(
            workingDirectory: workingDirectory.map { folder[$0].path } ?? "/",
            testBundle: folder[bundle],
            resources: folder[bundle],
            buildFolders: buildFolders.map { folder[$0] }
        )
    }

    private func note(_ workspace: String) throws {
        try folder.putNote(["WorkspacePath": folder[workspace].path], in: "DerivedData/App-abc")
    }

    @Test(
        "Xcode's note of the build leads to the project, whatever kind it is of",
        arguments: [
            ("App.xcodeproj/", "App.xcodeproj"), ("App.xcworkspace/", "App.xcworkspace"), ("Package.swift", ""),
            ("App.xcodeproj/project.xcworkspace/", "App.xcodeproj/project.xcworkspace"),
        ]
    )
    func note(_ marker: String, _ workspace: String) throws {
        try folder.put("Größe & más/" + marker)
        try note("Größe & más/" + workspace)
        // Somebody else's file in Xcode's working directory is not looked at.
        try folder.put("tmp/Package.swift")
        let found = try search(workingDirectory: "tmp").cassettes()
        #expect(
            found
                == .init(
                    directory: folder["Größe & más"].appendingPathComponent("Cassettes", isDirectory: true)
                )
        )
    }

    @Test("The project that it names may be a link")
    func linkedProject() throws {
        try folder.put("real/App.xcodeproj/")
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["real"])
        try note("link/App.xcodeproj")
        #expect(try search().projectRoot?.path == folder["link"].path)
    }

    @Test(
        "An app that hosts tests is copied to its simulator, and the folder it was built to leads to the project"
    )
    func hostedTests() throws {
        try folder.put("App/App.xcodeproj/")
        try note("App/App.xcodeproj")
        let bundle = "CoreSimulator/App.app/PlugIns/AppTests.xctest"
        #expect(try search(bundle: bundle).projectRoot == nil)
        let products = ["DerivedData/App-abc/Build/Products/Debug-iphonesimulator"]
        #expect(try search(bundle: bundle, buildFolders: products).projectRoot?.path == folder["App"].path)
    }

    @Test("Without a note it is the project of the working directory, and then the one around the bundle")
    func workingDirectory() throws {
        let bundle = "Package/.build/x86_64/debug/PackageTests.xctest"
        try folder.put("Package/Package.swift")
        try folder.put("Other/.git/")
        try folder.put("nowhere/")
        #expect(
            try search(workingDirectory: "Package", bundle: bundle).projectRoot?.path == folder["Package"].path
        )
        #expect(try search(workingDirectory: "Other", bundle: bundle).projectRoot?.path == folder["Other"].path)
        #expect(
            try search(workingDirectory: "nowhere", bundle: bundle).projectRoot?.path == folder["Package"].path
        )
    }

    @Test("A repository around the bundle is no project: it may be that of somebody's settings")
    func homeRepository() throws {
        try folder.put(".git/")
        #expect(try search().projectRoot == nil)
    }

    @Test("Without a project it is that of the bundle, which can only be read")
    func shipped() throws {
        let search = try search()
        #expect(throws: ConfigurationError.self) { try search.cassettes() }
        let cassettes = search.testBundle.appendingPathComponent("Cassettes", isDirectory: true)
        try FileManager.default.createDirectory(at: cassettes, withIntermediateDirectories: true)
        let found = try search.cassettes()
        #expect(found.directory.path == cassettes.path)
        #expect(found.isReadOnly)
    }

    @Test("Without that either, it is an error that says where was looked and what to do")
    func nothing() throws {
        let search = try search()
        let error = try #require(throws: ConfigurationError.self) { try search.cassettes() }
        let words = [
            "working directory /", search.testBundle.path, "Package.swift", "Xcode project",
            "`override var cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }`", "REWIND_CASSETTES",
            "resources of the test target",
        ]
        for word in words { #expect(error.localizedDescription.contains(word)) }
    }

    @Test("A note of a project that is gone is told, and so is one that cannot be read")
    func uselessNotes() throws {
        try note("gone/App.xcodeproj")
        let moved = try #require(throws: ConfigurationError.self) { try search().cassettes() }
        #expect(moved.localizedDescription.contains("Xcode built it from \(folder["gone/App.xcodeproj"].path)"))
        // The project is there, but what tells it to be one is not.
        try folder.put("gone/App.xcodeproj")
        #expect(try search().projectRoot == nil)
        try folder.put("DerivedData/App-abc/info.plist", "no property list")
        let broken = try #require(throws: ConfigurationError.self) { try search().cassettes() }
        #expect(broken.localizedDescription.contains(folder["DerivedData/App-abc/info.plist"].path))
        try folder.put("Package/Package.swift")
        #expect(try search(workingDirectory: "Package").projectRoot?.path == folder["Package"].path)
    }

    @Test("This process's own project is this one")
    func own() throws {
        let root = try #require(CassetteSearch().projectRoot)
        #expect(FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path))
    }
}

@Suite("A folder of cassettes out of reach")
struct UnreachedCassettesTests {
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

@Suite("A cassette that can only be read")
struct ReadOnlyCassetteTests {
    private let folder: TemporaryDirectory
    private let location: CassetteLocation

    init() throws {
        folder = try TemporaryDirectory()
        location = try CassetteLocation(
            name: "list",
            in: CassetteSearch.Found(directory: folder["Cassettes"], isReadOnly: true)
        )
    }

    private func stubber(_ mode: RecordingMode, _ change: (inout Configuration) -> Void = { _ in }) throws
        -> Stubber
    {
        var configuration = Configuration()
        change(&configuration)
        return try Stubber(
            at: location,
            mode: mode,
            configuration: configuration,
            environment: Environment([:])
        )
    }

    private func put() throws {
        var interaction = Interaction.page("https://h/a", "shipped")
        interaction.startedAt = Date(timeIntervalSince1970: 0)
        try folder.put("Cassettes/")
        try HARFormat.write(Cassette(interactions: [interaction])).write(to: location.source)
    }

    @Test(
        "What it holds plays, in every mode that plays",
        arguments: [RecordingMode.none, .once, .newEpisodes]
    )
    func plays(_ mode: RecordingMode) throws {
        try put()
        #expect(try stubber(mode).decision(on: "https://h/a") == .replays("shipped"))
    }

    @Test(
        "What would be recorded is a miss that says where to record, and nothing is written",
        arguments: [RecordingMode.once, .newEpisodes, .all]
    )
    func records(_ mode: RecordingMode) throws {
        let stubber = try stubber(mode) { $0.savesEmptyCassettes = true }
        #expect(!stubber.isRecording)
        guard
            case .refuse(let miss) = stubber.answer(
                to: IncomingRequest(Request(url: "https://h/a"))
            )
        else {
            Issue.record("it was answered")
            return
        }
        #expect(miss.reason == .readOnly(path: location.source.path))
        for word in [location.source.path, "on the Mac or in the simulator", "resources of the test"] {
            #expect(
                miss.description.replacingOccurrences(of: "\n  ", with: " ").contains(word),
                "\(miss.description)"
            )
        }
        try stubber.eject()
        #expect(folder.files == [])
    }

    @Test("Mode `all` does not play what it was to record anew")
    func anew() throws {
        try put()
        let stubber = try stubber(.all)
        guard
            case .refuse = stubber.answer(
                to: IncomingRequest(Request(url: "https://h/a"))
            )
        else {
            Issue.record("it was answered")
            return
        }
    }

    @Test("Its age does not have it recorded anew")
    func age() throws {
        try put()
        let stubber = try stubber(.once) { $0.maxAge = .days(1, .reRecord) }
        #expect(stubber.mode == .once)
        #expect(stubber.decision(on: "https://h/a") == .replays("shipped"))
    }

    @Test("Another one that is inserted can only be read, too")
    func inserted() throws {
        let stubber = try stubber(.once)
        try stubber.insert("other")
        #expect(stubber.location.source == folder["Cassettes/other.har"].standardizedFileURL)
        #expect(!stubber.isRecording)
    }
}
