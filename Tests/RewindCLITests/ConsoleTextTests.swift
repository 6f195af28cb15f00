import Foundation
import Testing

@testable import RewindCLI

struct ConsoleTextTests {
    @Test(
        "A number of bytes is rounded to two or three digits",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1949, "1.9 kB"), (9949, "9.9 kB"), (9960, "10 kB"),
            (65_536, "66 kB"), (999_499, "999 kB"), (999_600, "1.0 MB"), (20_000_000, "20 MB"),
            (3_000_000_000_000, "3.0 TB"), (Int.max, "9223372 TB"),
        ]
    )
    func bytes(_ count: Int, _ text: String) {
        #expect(ByteCount(count).description == text)
    }

    @Test(
        "A duration is shown in a suitable unit",
        arguments: [
            (0, "0.00 ms"), (0.244, "0.24 ms"), (0.999, "1.0 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"),
            (999.4, "999 ms"), (999.6, "1.0 s"), (59_940, "59.9 s"), (60_000, "1 min 0 s"),
            (3_725_000, "62 min 5 s"), (-1, "?"), (.nan, "?"), (.infinity, "?"),
        ]
    )
    func durations(_ milliseconds: Double, _ text: String) {
        #expect(TimeText.duration(milliseconds: milliseconds) == text)
    }

    @Test(
        "An age is shown in the largest unit that fits",
        arguments: [
            (-500, "now"), (59, "now"), (60, "1 minute"), (7199, "1 hour"), (7200, "2 hours"),
            (86_400, "1 day"), (31_449_600, "364 days"), (69_120_000, "2 years"),
        ]
    )
    func ages(_ seconds: Double, _ text: String) {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(TimeText.age(of: now.addingTimeInterval(-seconds), at: now) == text)
    }

    @Test("A date is shown in UTC, and not at all if it is unknown")
    func instants() {
        #expect(TimeText.instant(Date(timeIntervalSince1970: 0.25)) == "1970-01-01 00:00:00.250 UTC")
        #expect(TimeText.instant(.distantPast) == nil)
    }

    @Test("Control characters are escaped, and other text is unchanged")
    func visible() {
        for (text, shown) in [
            ("plain é 🚀 <b>", "plain é 🚀 <b>"), ("\u{1B}[31m", "\\u001B[31m"),
            ("a\u{7F}\u{9B}b", "a\\u007F\\u009Bb"),
            ("\0", "\\u0000"), ("\u{202E}txt", "\\u202Etxt"), ("\u{2028}", "\\u2028"), ("e\u{301}", "e\u{301}"),
        ] {
            #expect(VisibleText.line(text) == shown)
            #expect(VisibleText.lines(text) == shown)
        }
        #expect(VisibleText.line("a\r\nb\tc") == "a\\u000D\\u000Ab\\u0009c")
        #expect(VisibleText.lines("a\r\nb\tc\rd\n\r") == "a\nb\tc\\u000Dd\n\\u000D")
    }

    static let sizes: [(String, Int?)] = [
        ("500", 500), ("64 kB", 64000), ("1.5MB", 1_500_000), ("2g", 2_000_000_000), ("1b", 1), ("", nil),
        ("-1", nil),
        ("1 TB", nil), ("1e3", nil), ("99999999999999999999", nil), (".", nil), ("1.2.3", nil),
    ]

    @Test("A size is parsed with or without a unit", arguments: sizes)
    func readsSizes(_ text: String, _ bytes: Int?) {
        #expect(ByteCount(text)?.bytes == bytes)
    }

    @Test("The columns of a table are aligned, without trailing spaces")
    func tables() {
        var table = TextTable([.left, .right, .left])
        table.add(["a", "1", "x"])
        table.add(["bcd", "200"])
        table.add(["", "", "é"])
        #expect(table.lines() == ["a       1   x", "bcd   200", "            é"])
    }

    @Test("Text is colored only on a terminal and unless NO_COLOR is set")
    func styles() {
        let colored = TextStyle(isTerminal: true, environment: .init([:]))
        #expect(colored(.red, "x") == "\u{1B}[31mx\u{1B}[0m")
        #expect(colored(.red, "") == "")
        for style in [TextStyle.plain, .init(isTerminal: true, environment: .init(["NO_COLOR": "1"]))] {
            #expect(style(.red, "x") == "x")
        }
        for value in ["0", "false", "no"] {
            #expect(TextStyle(isTerminal: true, environment: .init(["NO_COLOR": value]))(.red, "x") == "x")
        }
        #expect(TextStyle(isTerminal: true, environment: .init(["NO_COLOR": ""]))(.red, "x") != "x")
    }

    @Test("Counts have a singular or plural noun")
    func counts() {
        #expect([0, 1, 2].map { Counted.text($0, "host") } == ["0 hosts", "1 host", "2 hosts"])
        #expect(Counted.list([3, 5]) == "#3, #5")
        #expect(Counted.list(1...8) == "#1, #2, #3, #4, #5, #6, #7, #8")
        #expect(Counted.list(1...10) == "#1, #2, #3, #4, #5, #6, #7, #8 and 2 more")
    }
}
