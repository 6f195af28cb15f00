import Testing

@testable import Rewind

struct TestSelectionTests {
    private static let bundle = "/p/.build/debug/AppPackageTests.xctest"
    private static let swiftTesting = [bundle, "--testing-library", "swift-testing"]
    private static let shell = ["bash", "-c", "make --filter x test"]

    struct Sample: Sendable, CustomTestStringConvertible {
        let own: [String]
        var parent: [String] = shell
        var environment: [String: String] = [:]
        let selected: String?
        var testDescription: String { "\(own.dropFirst()) in \(parent)" }
    }

    @Test(
        "A process knows whether it runs all tests",
        arguments: [
            // `swift test`: one process for XCTest, and one for Swift Testing with the arguments of `swift test`.
            Sample(own: [bundle], parent: ["/usr/bin/swift-test"], selected: nil),
            Sample(
                own: swiftTesting + ["-c", "release", "--num-workers", "4"],
                parent: ["swift-test", "-c", "release", "--num-workers", "4"],
                selected: nil
            ),
            Sample(
                own: [bundle, "AppTests.A/testOne,AppTests.A/testTwo"],
                parent: ["/usr/bin/swift-test", "--filter", "A", "--filter=B/c"],
                selected: "--filter A --filter=B/c"
            ),
            Sample(
                own: [bundle, "--skip", "A", "--testing-library", "swift-testing"],
                parent: ["swift-test", "--skip", "A"],
                selected: "--skip A"
            ),
            Sample(own: [bundle, "A/b"], parent: ["swift", "test", "-s", "A/b"], selected: "-s A/b"),
            // One process for each test.
            Sample(own: [bundle, "AppTests.A/testOne"], parent: ["swift-test", "--parallel"], selected: nil),
            Sample(
                own: [bundle, "AppTests.A/testOne"],
                parent: ["swift-test", "--parallel", "--num-workers", "2", "--filter", "A"],
                selected: "--filter A"
            ),
            // Tests of other products and libraries.
            Sample(own: [bundle], parent: ["swift-test", "--test-product", "P"], selected: "--test-product P"),
            Sample(
                own: [bundle],
                parent: ["swift-test", "--disable-swift-testing"],
                selected: "--disable-swift-testing"
            ),
            Sample(
                own: swiftTesting + ["--disable-xctest"],
                parent: ["swift-test", "--disable-xctest"],
                selected: "--disable-xctest"
            ),
            Sample(
                own: [bundle, "AppTests.A/testOne"],
                parent: ["swift-test", "--parallel"],
                environment: ["_SWIFTPM_SKIP_TESTS_LIST": "B"],
                selected: "_SWIFTPM_SKIP_TESTS_LIST=B"
            ),
            // Started by hand or by an editor, whose own arguments have no meaning.
            Sample(own: [bundle], selected: nil),
            Sample(own: swiftTesting, selected: nil),
            Sample(own: [bundle, "AppTests.A/testOne"], selected: "AppTests.A/testOne"),
            Sample(own: swiftTesting + ["--filter", "A"], parent: [], selected: "--filter A"),
            Sample(own: swiftTesting + ["--configuration-path", "c"], selected: "--configuration-path c"),
            Sample(own: ["/p/App-test-runner", "AppTests.A"], selected: "AppTests.A"),
            // Apple platforms.
            Sample(own: ["xctest", "-XCTest", "A/b", "App.xctest"], selected: "A/b"),
            Sample(own: ["xctest", "-XCTest", "All", "App.xctest"], selected: nil),
            Sample(
                own: ["xctest", "-XCTest", "A/b", "App.xctest"],
                parent: ["swift-test", "--parallel"],
                selected: nil
            ),
            // The command.
            Sample(own: ["rewind", "serve", "a.har"], selected: nil),
        ]
    )
    func selections(_ sample: Sample) {
        let selection = TestSelection(of: sample.own, startedBy: sample.parent, environment: sample.environment)
        #expect(selection.arguments == sample.selected)
    }

    @Test("A long list of tests is shortened")
    func long() throws {
        let names = (1...100).map { "AppTests.A/test\($0)" }.joined(separator: ",")
        let text = try #require(TestSelection(of: [Self.bundle, names], startedBy: []).arguments)
        #expect(text.count == 120)
        #expect(text.hasSuffix("…"))
    }

    @Test("The words of a command line on macOS are found between the path and the environment")
    func macOS() {
        let text = "\u{3}\0\0\0/usr/bin/swift-test\0\0\0\0swift-test\0--filter\0A b\0HOME=/\0"
        #expect(ParentProcess.words(inProcessArguments: .init(text.utf8)) == ["swift-test", "--filter", "A b"])
        #expect(ParentProcess.words(inProcessArguments: .init()) == [])
    }

    #if os(Linux)
        @Test("The command line of the parent is known")
        func parent() { #expect(ParentProcess.arguments.isEmpty == false) }
    #endif
}
