import Foundation
import RewindTestSupport
import Testing

struct SampleExtractionTests {
    /// The extracted lines of Swift, without those that every document has.
    private func source(_ text: String) throws -> [Substring] {
        let folder = try TemporaryDirectory()
        try Data(text.utf8).write(to: folder["Some Topic.md"])
        let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("ExtractSamples")
        let run = try ChildProcess(tool, [folder["Some Topic.md"].path, folder["output"].path])
        try #require(run.status == 0, "\(run.output)")
        let lines = try String(contentsOf: folder["output"], encoding: .utf8)
            .replacingOccurrences(of: folder.url.path, with: "").split(separator: "\n")
        return Array(lines[(try #require(lines.firstIndex(of: "#endif")) + 1)...])
    }

    @Test("A line has its number in the document") func lines() throws {
        let text = "# Title\n\n```swift\nstruct A {}\n```\ntext\n```sh\nls\n```\n```swift\nstruct B {}\n```"
        #expect(
            try source(text) == [
                "#sourceLocation(file: \"/Some Topic.md\", line: 4)", "struct A {}", "#sourceLocation()",
                "#sourceLocation(file: \"/Some Topic.md\", line: 11)", "struct B {}", "#sourceLocation()",
            ]
        )
    }

    @Test(
        "Code is wrapped in the declarations it needs",
        arguments: [
            ("override var a: Int { 1 }", "private final class Sample_Some_Topic_2: CassetteTestCase {"),
            ("func testA() {}", "final class Sample_Some_Topic_2: XCTestCase {"),
            (
                "configuration.a = 1",
                "private func sample_Some_Topic_2(_ configuration: inout Stubber.Configuration, _ stubber: Stubber)"
                    + " async throws { do {"
            ),
            ("@Test func a() {}", nil), ("import A\nfinal class B {}", "import A"),
        ]
    )
    func forms(code: String, before: String?) throws {
        let lines = try source("```swift\n\(code)\n```")
        let begin = try #require(lines.firstIndex { $0.hasPrefix("#sourceLocation(file") })
        #expect(lines[..<begin].first.map(String.init) == before)
    }

    @Test("Statements after a run comment become a test") func run() throws {
        let lines = try source("<!-- sample: run -->\n```swift\nlet a = 1\n```")
        #expect(lines.first == "final class Sample_Some_Topic_3: XCTestCase { func testSample() async throws {")
        #expect(lines.contains("_ = a"))
    }

    @Test("The declarations of a comment apply only to the next block") func declarations() throws {
        let text = "<!-- sample:\nlet x = 1\n-->\n\n```swift\nstruct A {}\n```\n```swift\nstruct B {}\n```"
        #expect(try source(text).filter { $0 == "let x = 1" }.count == 1)
        #expect(try source(text).first == "let x = 1")
    }

    @Test(
        "Code for another library or a manifest is ignored",
        arguments: ["other library", "manifest"]
    )
    func foreign(word: String) throws {
        #expect(try source("<!-- sample: \(word) -->\n```swift\nstruct A {}\n```").isEmpty)
    }

    @Test("A comment does not apply to a block after other text") func separated() throws {
        let lines = try source("<!-- sample: other library -->\ntext\n```swift\nstruct A {}\n```")
        #expect(lines.contains("struct A {}"))
    }

    @Test("An ellipsis is removed") func ellipsis() throws {
        #expect(try source("```swift\nfunc a() { … }\n```").contains("func a() {  }"))
    }

    @Test(
        "A document may end inside of a block or a comment",
        arguments: ["```swift\nstruct A {}", "<!-- sample:\nstruct A {}", "```swift", "```", ""]
    )
    func unfinished(text: String) throws {
        #expect(try source(text).contains("struct A {}") == text.hasPrefix("```swift\ns"))
    }
}
