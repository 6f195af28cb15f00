import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct XcodeBuildTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var bundle: URL { folder["DerivedData/App-abc/Build/Products/Debug/AppTests.xctest"] }

    @Test(
        "Build information is found above the bundle, as XML or binary",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func found(_ format: PropertyListSerialization.PropertyListFormat) throws {
        #expect(XcodeBuild(above: bundle) == nil)
        try folder.putNote(["WorkspacePath": "/Größe & más/App.xcodeproj"], in: "DerivedData/App-abc", format)
        #expect(XcodeBuild(above: bundle) == .workspace(path: "/Größe & más/App.xcodeproj"))
    }

    @Test("A file without a WorkspacePath string is ignored")
    func otherFiles() throws {
        try folder.putNote(
            ["CFBundleName": "App"],
            in: "DerivedData/App-abc/Build/Products/Debug/AppTests.xctest"
        )
        try folder.putNote(["WorkspacePath": 1], in: "DerivedData/App-abc/Build")
        try folder.putNote(["WorkspacePath": ""], in: "DerivedData/App-abc/Build/Products")
        #expect(XcodeBuild(above: bundle) == nil)
        try folder.putNote(["WorkspacePath": "/App.xcworkspace"], in: "DerivedData/App-abc")
        #expect(XcodeBuild(above: bundle) == .workspace(path: "/App.xcworkspace"))
    }

    @Test("Invalid build information is reported unless there is a valid one above")
    func broken() throws {
        try folder.put("DerivedData/App-abc/info.plist", "<plist><dict><key>Wor")
        #expect(XcodeBuild(above: bundle) == .unreadable(path: folder["DerivedData/App-abc/info.plist"].path))
        try folder.putNote(["WorkspacePath": "/App.xcodeproj"], in: "DerivedData")
        #expect(XcodeBuild(above: bundle) == .workspace(path: "/App.xcodeproj"))
    }
}
