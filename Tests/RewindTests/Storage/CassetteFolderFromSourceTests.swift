import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct CassetteFolderFromSourceTests {
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
        "The folder is Cassettes at the root of the project, and is not created",
        arguments: ["Package.swift", "App.xcodeproj/"]
    )
    func root(_ marker: String) throws {
        try folder.put(marker)
        let found = try search(from: "Tests/A/B/Test.swift").cassettes()
        #expect(found.directory.path == folder["Cassettes"].path)
        #expect(!found.isReadOnly)
        #expect(!FileManager.default.fileExists(atPath: found.directory.path))
    }

    @Test("Without a project, the error lists the searched source and the fix")
    func noProject() throws {
        try folder.put("Tests/Test.swift")
        try folder.put("AppTests.xctest/Cassettes/")
        let place = folder["Tests/Test.swift"].path
        let error = try #require(throws: Stubber.ConfigurationError.self) {
            try search(from: "Tests/Test.swift").cassettes()
        }
        #expect(error == .noProject(above: [place]))
        for word in [
            place, "Package.swift", "Xcode project", "in: CassetteDirectory.beside(#filePath)",
            "REWIND_CASSETTES",
        ] {
            #expect(error.description.contains(word))
        }
    }

    @Test("If the source is out of reach, the cassettes in the bundle are used read-only")
    func device() throws {
        #expect(throws: Stubber.ConfigurationError.noProject(above: [folder["Tests/Test.swift"].path])) {
            try search(from: "Tests/Test.swift").cassettes()
        }
        try folder.put("AppTests.xctest/Cassettes/")
        let found = try search(from: "Tests/Test.swift").cassettes()
        #expect(found.directory.path == folder["AppTests.xctest/Cassettes"].path)
        #expect(found.isReadOnly)
    }

    @Test("REWIND_CASSETTES replaces the folder unless it is empty")
    func named() throws {
        let variables = ["REWIND_CASSETTES": folder["sub"].path]
        for _ in 0..<2 {
            let found = try search(from: "Tests/Test.swift", variables).cassettes()
            #expect(found.directory.path == folder["sub"].path)
            try folder.put("Package.swift")
        }
        let found = try search(from: "Tests/Test.swift", ["REWIND_CASSETTES": ""]).cassettes()
        #expect(found.directory.path == folder["Cassettes"].path)
    }

    @Test("The folder beside a source file is Cassettes")
    func beside() {
        #expect(CassetteDirectory.beside("/project/Tests/UserTests.swift").path == "/project/Tests/Cassettes")
    }

    @Test("This project is found from its sources")
    func own() throws {
        let cassettes = try CassetteDirectory.ofProject(containing: #filePath)
        #expect(cassettes.path.hasSuffix("/Cassettes"))
        let package = cassettes.deletingLastPathComponent().appendingPathComponent("Package.swift")
        #expect(FileManager.default.fileExists(atPath: package.path))
    }
}
