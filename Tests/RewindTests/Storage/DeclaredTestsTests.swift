import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct DeclaredTestsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.put(
            "Tests/UserTests.swift",
            """
            import RewindXCTest

            class BaseTests: CassetteTestCase {
                func testInherited() {}
            }

            final class UserTests: BaseTests, @unchecked Sendable {
                override func setUp(
                ) {}
                func testLogin() async throws {
                    try await withCassette("inside") { _ in }
                }
                // func testCommentedOut() {}
                func testMore() {}
            }

            final class SharedTests: CassetteTestCase {
                override var cassetteName: String { "shared" }
                func testOne() {}
                func testTwo() {}
            }
            """
        )
        try folder.put(
            "Tests/Pages.swift",
            """
            import RewindTesting

            @Suite(.cassettes) struct Outer {
                struct Pages {
                    @Test(.cassette("special"))
                    func session() {}
                    @Test(arguments: [1, 2])
                    func page(number: Int) {}
                    @Test func `a raw name`() {}
                }
            }

            @Test(.cassette) func free() {}
            func helper() { withCassette("helped") {} }
            """
        )
        try folder.put("Sources/App.swift", "struct App { func testLogin() { open(\"special\") } }")
    }

    /// The test or the line that could use a cassette and did not run.
    private func missing(_ cassette: String, _ ran: String...) -> String? {
        switch DeclaredTests(below: folder.url).missing(for: "/p/Cassettes/\(cassette).har", ran: Set(ran)) {
        case .test(let test): test.name
        case .place(let file, let line): "\(URL(fileURLWithPath: file).lastPathComponent):\(line)"
        case nil: nil
        }
    }

    @Test(
        "The test of a cassette is found by the names of its folder and file",
        arguments: [
            ("UserTests/testLogin", "UserTests.testLogin"),
            ("AppTests.UserTests/testLogin", "UserTests.testLogin"),
            ("UserTests/testInherited", "UserTests.testInherited"), ("UserTests/testCommentedOut", nil),
            ("UserTests/testGone", nil), ("UserTests/testOne", nil), ("UserTests/page", nil),
            ("Outer.Pages/page-number=2", "Outer.Pages.page"), ("Outer.Pages/page", "Outer.Pages.page"),
            ("Outer.Pages/a_raw_name~0123abcd", "Outer.Pages.a raw name"), ("Pages/free", "free"),
            ("Elsewhere/testLogin", "UserTests.testLogin"), ("Elsewhere/session", "Outer.Pages.session"),
            ("Elsewhere/gone", nil), ("Elsewhere/helper", nil),
        ]
    )
    func names(_ cassette: String, _ test: String?) { #expect(missing(cassette) == test) }

    @Test("A test that ran is not missing")
    func ran() {
        #expect(missing("UserTests/testLogin", "UserTests.testLogin") == nil)
        #expect(missing("UserTests/testInherited", "BaseTests.testInherited") == "UserTests.testInherited")
        #expect(missing("Outer.Pages/page-number=2", "Outer.Pages.page(number:)") == nil)
        #expect(missing("Outer.Pages/a_raw_name~0123abcd", "Outer.Pages.a raw name()") == nil)
        #expect(missing("Pages/free", "free()") == nil)
    }

    @Test("Layout, comments, strings and conditions do not hide a test or a literal")
    func layout() throws {
        try folder.put(
            "Tests/Layout.swift",
            #"""
            import Testing
            @Suite(.cassettes(in: "chosen")) struct Layout { /* { */
            @Test("A title with { and a cassette", .cassette(
              "wide"
            ))
            #if os(Linux)
            func spread() {
            #else
            func spread() throws {
            #endif
            let text = "}} \("{") \n"
            func inner() { withCassette("inner") {} }
            }
            @Test
            @MainActor func attributed(
            ) { withCassette("late") {} }
            var name = "property"
            }
            class Sub<Element: Equatable>: Module.BaseTests { func testOwn() {} }
            import class Foundation.Bundle
            """#
        )
        #expect(missing("Layout/spread") == "Layout.spread")
        #expect(missing("Layout/attributed") == "Layout.attributed")
        #expect(missing("wide") == "Layout.swift:4")
        #expect(missing("wide", "Layout.spread()") == nil)
        #expect(missing("inner") == "Layout.swift:12")
        #expect(missing("inner", "Layout.spread()") == nil)
        #expect(missing("late") == "Layout.swift:16")
        #expect(missing("property", "Layout.spread()") == "Layout.swift:17")
        #expect(missing("property", "Layout.spread()", "Layout.attributed()") == nil)
        #expect(missing("chosen", "Layout.spread()", "Layout.attributed()") == nil)
        #expect(missing("chosen", "Layout.spread()") == "Layout.swift:2")
        #expect(missing("Sub/testInherited") == "Sub.testInherited")
    }

    @Test("A place that names a cassette is found, unless its test ran")
    func literals() {
        #expect(missing("special") == "Pages.swift:5")
        #expect(missing("Any/special") == "Pages.swift:5")
        #expect(missing("special", "Outer.Pages.session()") == nil)
        #expect(missing("inside") == "UserTests.swift:11")
        #expect(missing("inside", "UserTests.testLogin") == nil)
        #expect(missing("helped") == "Pages.swift:14")
        #expect(missing("shared", "SharedTests.testOne") == "UserTests.swift:18")
        #expect(missing("shared", "SharedTests.testOne", "SharedTests.testTwo") == nil)
        #expect(missing("unknown") == nil)
    }
}
