import Foundation
import RewindTestSupport
import Testing

@testable import RewindCLI

struct ManTests {
    static let hasGroff = ChildProcess.isInstalled("groff")

    @Test(
        "groff formats the manual page without warnings, with every subcommand",
        .enabled(if: hasGroff, "needs groff: apt-get install groff, or brew install groff")
    )
    func isSet() throws {
        let folder = try TemporaryDirectory()
        try CommandRun(["man"], in: folder.url).data.write(to: folder["rewind.1"])
        let set = try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["sh", "-c", "groff -man -ww -Tutf8 -P-cbou -rLL=10i rewind.1 2> warnings"],
            directory: folder.url
        )
        #expect(set.status == 0)
        #expect(try Data(contentsOf: folder["warnings"]).isEmpty)
        for synopsis in CommandLineTool.subcommands.map({ $0.synopsis }) {
            #expect(set.output.contains("   \(synopsis.name)"))
            for option in synopsis.options { #expect(set.output.contains(option.name)) }
            for example in synopsis.examples { #expect(set.output.contains(example)) }
        }
        #expect(set.output.contains("REWIND(1)"))
    }

    @Test(
        "Text is escaped, so that roff does not interpret it",
        arguments: [
            (".SH not a section", #"\&.SH not a section"#), ("'tis", #"\(aqtis"#), (#"a\nb"#, #"a\enb"#),
            ("--in-place", #"\-\-in\-place"#), ("FILE …", #"FILE \[u2026]"#), ("`~^\"", #"\(ga\(ti\(ha\(dq"#),
            ("", ""),
            ("😀", #"\[u1F600]"#),
        ]
    )
    func escapes(_ text: String, _ escaped: String) {
        #expect(Roff.escaped(text) == escaped)
    }
}
