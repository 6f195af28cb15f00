import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct CassetteFolderFromProcessTests {
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
        "The build information of Xcode leads to the project of any kind",
        arguments: [
            ("App.xcodeproj/", "App.xcodeproj"), ("App.xcworkspace/", "App.xcworkspace"), ("Package.swift", ""),
            ("App.xcodeproj/project.xcworkspace/", "App.xcodeproj/project.xcworkspace"),
        ]
    )
    func note(_ marker: String, _ workspace: String) throws {
        try folder.put("Größe & más/" + marker)
        try note("Größe & más/" + workspace)
        // A foreign file in Xcode's working directory is ignored.
        try folder.put("tmp/Package.swift")
        let found = try search(workingDirectory: "tmp").cassettes()
        #expect(
            found
                == .init(
                    directory: folder["Größe & más"].appendingPathComponent("Cassettes", isDirectory: true)
                )
        )
    }

    @Test("The project in the build information can be a link")
    func linkedProject() throws {
        try folder.put("real/App.xcodeproj/")
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["real"])
        try note("link/App.xcodeproj")
        #expect(try search().projectRoot?.path == folder["link"].path)
    }

    @Test(
        "The build folder of an app that hosts tests leads to the project"
    )
    func hostedTests() throws {
        try folder.put("App/App.xcodeproj/")
        try note("App/App.xcodeproj")
        let bundle = "CoreSimulator/App.app/PlugIns/AppTests.xctest"
        #expect(try search(bundle: bundle).projectRoot == nil)
        let products = ["DerivedData/App-abc/Build/Products/Debug-iphonesimulator"]
        #expect(try search(bundle: bundle, buildFolders: products).projectRoot?.path == folder["App"].path)
    }

    @Test("Without build information, the working directory counts, then the bundle")
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

    @Test("A repository around the bundle is not a project")
    func homeRepository() throws {
        try folder.put(".git/")
        #expect(try search().projectRoot == nil)
    }

    @Test("Without a project, the cassettes in the bundle are used read-only")
    func shipped() throws {
        let search = try search()
        #expect(throws: Stubber.ConfigurationError.self) { try search.cassettes() }
        let cassettes = search.testBundle.appendingPathComponent("Cassettes", isDirectory: true)
        try FileManager.default.createDirectory(at: cassettes, withIntermediateDirectories: true)
        let found = try search.cassettes()
        #expect(found.directory.path == cassettes.path)
        #expect(found.isReadOnly)
    }

    @Test("Without a project and a bundle, the error lists the searched places")
    func nothing() throws {
        let search = try search()
        let error = try #require(throws: Stubber.ConfigurationError.self) { try search.cassettes() }
        let words = [
            "working directory /", search.testBundle.path, "Package.swift", "Xcode project",
            "`override var cassetteDirectory: URL { CassetteDirectory.beside(#filePath) }`", "REWIND_CASSETTES",
            "resources of the test target",
        ]
        for word in words { #expect(error.description.contains(word)) }
    }

    @Test("The error mentions build information of a deleted project, or that is unreadable")
    func uselessNotes() throws {
        try note("gone/App.xcodeproj")
        let moved = try #require(throws: Stubber.ConfigurationError.self) { try search().cassettes() }
        #expect(moved.description.contains("Xcode built it from \(folder["gone/App.xcodeproj"].path)"))
        // The folder exists, but its project file does not.
        try folder.put("gone/App.xcodeproj")
        #expect(try search().projectRoot == nil)
        try folder.put("DerivedData/App-abc/info.plist", "no property list")
        let broken = try #require(throws: Stubber.ConfigurationError.self) { try search().cassettes() }
        #expect(broken.description.contains(folder["DerivedData/App-abc/info.plist"].path))
        try folder.put("Package/Package.swift")
        #expect(try search(workingDirectory: "Package").projectRoot?.path == folder["Package"].path)
    }

    @Test("The project of this process is found")
    func own() throws {
        let root = try #require(CassetteSearch().projectRoot)
        #expect(FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path))
    }
}
