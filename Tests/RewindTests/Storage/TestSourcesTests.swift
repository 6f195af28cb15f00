import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct TestSourcesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func place(of method: String, in type: String, module: String? = nil) -> String? {
        TestSources(folder.url).place(of: method, in: type, module: module)
            .map { "\($0.file.dropFirst(folder.url.path.count + 1)):\($0.line)" }
    }

    @Test("A test is found by its class and method in any file")
    func found() throws {
        try folder.put(
            "AppTests/Größe & más/Some.swift",
            "import XCTest\n\nclass UserTests : XCTestCase {\n    func testPage() {}\n}\n"
        )
        #expect(place(of: "testPage", in: "UserTests") == "AppTests/Größe & más/Some.swift:4")
        #expect(place(of: "testPages", in: "UserTests") == "AppTests/Größe & más/Some.swift:3", "its class")
        #expect(place(of: "testPage", in: "User") == nil)
    }

    @Test("The right class in a file is found, with its extensions")
    func classes() throws {
        let text = """
            final class FirstTests: XCTestCase {
                struct Page {}
                class func helper() {}
                // func testPage() {}
                func testPages() {}
                func testPage() async throws {}
            }

            final class SecondTests: XCTestCase {
                func testPage() {}
            }

            extension FirstTests {
                func testMore() {}
            }
            """
        try folder.put("Tests.swift", text)
        try folder.put("More.swift", "extension SecondTests {\n    func testElsewhere() {}\n}")
        #expect(place(of: "testPage", in: "FirstTests") == "Tests.swift:6")
        #expect(place(of: "testPage", in: "SecondTests") == "Tests.swift:10")
        #expect(place(of: "testMore", in: "FirstTests") == "Tests.swift:14")
        #expect(place(of: "testMore", in: "SecondTests") == "Tests.swift:9")
        #expect(place(of: "testElsewhere", in: "SecondTests") == "More.swift:2")
    }

    @Test("Of two classes with the same name, the one in the module is found")
    func modules() throws {
        for target in ["App Tests", "Kit-Tests"] {
            try folder.put("\(target)/UserTests.swift", "class UserTests: Base {\n  func testPage() {}\n}")
        }
        #expect(place(of: "testPage", in: "UserTests", module: "App_Tests") == "App Tests/UserTests.swift:2")
        #expect(place(of: "testPage", in: "UserTests", module: "Kit_Tests") == "Kit-Tests/UserTests.swift:2")
        #expect(place(of: "testPage", in: "UserTests", module: "Unknown") == "App Tests/UserTests.swift:2")
        #expect(
            place(of: "testInherited", in: "UserTests", module: "Kit_Tests") == "Kit-Tests/UserTests.swift:1"
        )
    }

    @Test("Types with the same name in other types are distinguished, and so are the methods of nested types")
    func nested() throws {
        let text = """
            enum Login {
                final class Tests: CassetteTestCase {
                    struct Mock { func testPage() {} }
                    func helper() { class Tests { func testPage() {} } }
                    func testPage() {}
                }
            }
            enum Search { final class Tests: CassetteTestCase { func testMore() {}
                func testPage() {} } }
            extension Login.Tests { func testLast() {} }
            extension Search { final class Others: CassetteTestCase {
                func testPage() {}
            } }
            """
        try folder.put("Tests.swift", text)
        #expect(place(of: "testPage", in: "Login.Tests") == "Tests.swift:5")
        #expect(place(of: "testPage", in: "Search.Tests") == "Tests.swift:9")
        #expect(place(of: "testMore", in: "Search.Tests") == "Tests.swift:8")
        #expect(place(of: "testLast", in: "Login.Tests") == "Tests.swift:10")
        #expect(place(of: "testPage", in: "Search.Others") == "Tests.swift:12")
        #expect(place(of: "testPage", in: "Tests") == nil)
    }

    @Test("Comments, strings, branches and layout do not move a method to another class")
    func layout() throws {
        let text = ##"""
            final class FirstTests: CassetteTestCase {
            let text = "} class SecondTests { func testPage() {} \("{".count) \" {"
            let raw = #"{ \( " "# + """
              } final class SecondTests { func testPage() {
              """
            /* } class SecondTests { /* } */ func testPage() {} */
            #if os(Linux)
            func testPage() {
            #else
            func testPage() throws {
            #endif
            let actor = makeActor(), kind: Kind = .class
            }
            }
            final class SecondTests: CassetteTestCase { class func make() {}; class var one: Int { 1 }
            func testPage() {}
            }
            final class `class`: CassetteTestCase { func `func`() {}
              func testPage() {} }
            """##
        try folder.put("Tests.swift", text)
        #expect(place(of: "testPage", in: "FirstTests") == "Tests.swift:8")
        #expect(place(of: "testPage", in: "SecondTests") == "Tests.swift:16")
        #expect(place(of: "testPage", in: "class") == "Tests.swift:19")
    }

    @Test("The files of a module are those that the build lists, wherever they are")
    func built() throws {
        let text = "class UserTests: Base {\n  func testPage() {}\n}"
        for name in ["One", "Two"] { try folder.put("Tests/\(name)/UserTests.swift", text) }
        for (module, name) in [("AppTests", "Two"), ("KitTests", "One")] {
            let path = folder["Tests/\(name)/UserTests.swift"].path
            try folder.put(".build/debug/\(module).build/output-file-map.json", "{\"\": {}, \"\(path)\": {}}")
        }
        for products in [".build/debug", ".build/debug/All.xctest"] {
            let sources = TestSources(folder.url, products: folder[products])
            for (module, name) in [("AppTests", "Two"), ("KitTests", "One")] {
                let place = sources.place(of: "testPage", in: "UserTests", module: module)
                #expect(place?.file == folder["Tests/\(name)/UserTests.swift"].path)
            }
        }
    }

    @Test("Build folders and dependencies are skipped, and cyclic links end")
    func others() throws {
        for name in [".build/checkouts", "DerivedData", "Pods", "Carthage", ".git"] {
            try folder.put("\(name)/UserTests.swift", "class UserTests {\n    func testPage() {}\n}")
        }
        try FileManager.default.createSymbolicLink(at: folder["loop"], withDestinationURL: folder.url)
        #expect(place(of: "testPage", in: "UserTests") == nil)
    }

    @Test("Several declarations of a type are distinguished from one, and from uses")
    func several() throws {
        try folder.put("A/UserTests.swift", "final class UserTests: CassetteTestCase {}")
        try folder.put(
            "A/Uses.swift",
            "extension UserTests {}\nlet test = UserTests.self\n// class UserTests\n"
        )
        #expect(!TestSources(folder.url).hasSeveral("UserTests"))
        try folder.put("B/Tests.swift", "@Suite(.cassettes) struct UserTests {}")
        #expect(TestSources(folder.url).hasSeveral("UserTests"))
        #expect(TestSources(folder.url).hasSeveral("Outer.UserTests"))
        // Functions outside of suites are grouped by their file.
        try folder.put("A/Functions.swift", "@Test func page() {}")
        #expect(!TestSources(folder.url).hasSeveral("Functions"))
        try folder.put("B/Functions.swift", "@Test func page() {}")
        #expect(TestSources(folder.url).hasSeveral("Functions"))
    }
}
