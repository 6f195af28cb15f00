import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ProjectRootTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func root(above place: String) -> String? {
        ProjectRoot.above(folder[place].path)?.path
    }

    @Test(
        "The root is the nearest folder with a package, an Xcode project or a repository",
        arguments: ["Package.swift", "App.xcodeproj/", "App.xcworkspace/", ".git/", ".git"]
    )
    func markers(_ marker: String) throws {
        try folder.put("Größe & más/" + marker)
        for place in ["", "/AppTests", "/AppTests/Deep/Tests.swift"] {
            #expect(root(above: "Größe & más" + place) == folder["Größe & más"].path)
        }
        #expect(root(above: "") == nil)
    }

    @Test(
        "The nearest of several candidates is the root",
        arguments: ["Package.swift", "App.xcodeproj/", "App.xcworkspace/", ".git/"],
        ["Package.swift", "App.xcodeproj/", "App.xcworkspace/", ".git/"]
    )
    func nested(_ outer: String, _ inner: String) throws {
        try folder.put(outer)
        try folder.put("Inner/" + inner)
        #expect(root(above: "Inner/Tests/T.swift") == folder["Inner"].path)
        #expect(root(above: "Tests/T.swift") == folder.url.path)
    }

    @Test("A submodule belongs to the project around it, or is the root if there is none")
    func submodules() throws {
        try folder.put("Shared/.git")
        try folder.put("Shared/Deeper/.git")
        #expect(root(above: "Shared/Deeper/T.swift") == folder["Shared/Deeper"].path)
        try folder.put(".git/")
        #expect(root(above: "Shared/Deeper/T.swift") == folder.url.path)
        try folder.put("Package.swift")
        #expect(root(above: "Shared/Deeper/T.swift") == folder.url.path)
    }

    @Test("A folder inside an Xcode project is not a root")
    func insideOfProjects() throws {
        try folder.put("App/App.xcodeproj/project.xcworkspace/contents.xcworkspacedata")
        #expect(root(above: "App/App.xcodeproj/project.xcworkspace") == folder["App"].path)
        #expect(root(above: "App/App.xcodeproj") == folder["App"].path)
        try folder.put("Package/Package.swift")
        try folder.put("Package/.swiftpm/xcode/package.xcworkspace/contents.xcworkspacedata")
        #expect(root(above: "Package/.swiftpm/xcode/package.xcworkspace") == folder["Package"].path)
    }

    @Test("A folder inside a build folder is a root only if there is none outside")
    func buildFolders() throws {
        try folder.put("App/DerivedData/App-abc/SourcePackages/checkouts/Dep/Package.swift")
        try folder.put("App/.build/checkouts/Dep/Package.swift")
        try folder.put("App/.build/checkouts/Dep/.git/")
        let places = [
            "App/DerivedData/App-abc/SourcePackages/checkouts/Dep", "App/.build/checkouts/Dep",
        ]
        for place in places { #expect(root(above: place + "/Tests/T.swift") == folder[place].path) }
        try folder.put("App/App.xcodeproj/")
        for place in places { #expect(root(above: place + "/Tests/T.swift") == folder["App"].path) }
    }

    @Test("A file named like an Xcode project and a broken link are not roots")
    func notProjects() throws {
        try folder.put("a/App.xcodeproj")
        #expect(root(above: "a") == nil)
        for name in ["Package.swift", "App.xcworkspace", ".git"] {
            try FileManager.default.createSymbolicLink(
                at: folder["a/" + name],
                withDestinationURL: folder["gone"]
            )
        }
        #expect(root(above: "a") == nil)
    }

    @Test("A root can be a link, and a path can lead through a link")
    func links() throws {
        try folder.put("real/Package.swift")
        try folder.put("real/Tests/T.swift")
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["real"])
        #expect(root(above: "link/Tests/T.swift") == folder["link"].path)
        try FileManager.default.createSymbolicLink(
            at: folder["tests"],
            withDestinationURL: folder["real/Tests"]
        )
        #expect(root(above: "tests") == folder["real"].path)
    }

    @Test("Without repositories, only packages and Xcode projects are roots")
    func withoutRepositories() throws {
        try folder.put(".git/")
        #expect(ProjectRoot.above(folder.url.path, countsRepositories: false) == nil)
        try folder.put("Package.swift")
        #expect(ProjectRoot.above(folder.url.path, countsRepositories: false)?.path == folder.url.path)
    }
}
