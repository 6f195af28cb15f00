import Foundation
import Testing

@testable import RewindCLI

/// Checks that the articles describe the subcommands, options and statuses of the command.
struct CommandLineArticleTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../Sources/Rewind/Rewind.docc")

    private static func article(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("\(name).md"), encoding: .utf8)
    }

    /// The text below a heading of the second level.
    private static func section(_ title: String, of article: String) -> String? {
        let sections = "\n\(article)".components(separatedBy: "\n## ")
        return sections.first { $0.hasPrefix("\(title)\n") }
    }

    private static func options(in text: String) -> Set<String> {
        let words = text.split { !$0.isLetter && $0 != "-" }
        return Set(words.filter { $0.hasPrefix("--") && $0.contains(where: \.isLetter) }.map(String.init))
    }

    private static func withoutCodeBlocks(_ text: String) -> String {
        text.components(separatedBy: "\n```").enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            .joined(separator: "\n")
    }

    @Test("The article names every subcommand") func subcommands() throws {
        let article = try Self.article("CommandLine")
        for synopsis in CommandLineTool.subcommands.map({ $0.synopsis }) {
            #expect(article.contains("`\(synopsis.name)`") || article.contains("rewind \(synopsis.name)"))
        }
    }

    @Test(
        "The section of a subcommand names its options and no others",
        arguments: ["list", "show", "diff", "verify", "lint", "prune", "convert", "redact", "sweep"]
    )
    func options(_ name: String) throws {
        let synopsis = try #require(CommandLineTool.subcommands.map { $0.synopsis }.first { $0.name == name })
        let section = try #require(Self.section(name, of: try Self.article("CommandLine")))
        var expected = Set(synopsis.options.map(\.name))
        #expect(Self.options(in: Self.withoutCodeBlocks(section)).subtracting(expected) == [])
        // The section on `redact` describes the options that both share.
        if name == "convert" { expected.subtract(RedactionOptions.all.map(\.name)) }
        #expect(expected.subtracting(Self.options(in: section)) == [])
    }

    @Test("The article on the server names the options of record and serve") func server() throws {
        let section = try #require(Self.section("Command line", of: try Self.article("Server")))
        let synopses = [RecordCommand.synopsis, ServeCommand.synopsis]
        let expected = Set(synopses.flatMap(\.options).map(\.name))
        #expect(Self.options(in: Self.withoutCodeBlocks(section)) == expected)
    }

    @Test("The table of lint rules has every rule with its severity") func lintRules() throws {
        let section = try #require(Self.section("lint", of: try Self.article("CommandLine")))
        for rule in LintRule.allCases {
            #expect(section.contains("\n| `\(rule.rawValue)` | \(rule.severity.rawValue) |"), "\(rule)")
        }
    }

    @Test("The table of exit statuses has every status") func statuses() throws {
        let article = try Self.article("CommandLine")
        for status in [ExitStatus.success, .failure, .usage, .badData] {
            #expect(article.contains("\n| \(status.code) |"), "\(status)")
        }
    }
}
