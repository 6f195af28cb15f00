import Foundation
import RewindTestSupport
import Rewind
import Testing

struct TextDifferenceTests {
    @Test(
        "The first line that differs is told with its number",
        arguments: [
            ("a", "b", 1, "a", "b"), ("", "a", 1, "", "a"), ("a", "", 1, "a", ""),
            ("a\nb\nc", "a\nx\nc", 2, "b", "x"),
            ("a", "a\n", 2, nil, ""), ("a\n", "a", 2, "", nil), ("a", "a\nb", 2, nil, "b"),
            ("a\n", "a\nb", 2, "", "b"),
            ("a\nb", "a", 2, "b", nil), ("", "\n", 2, nil, ""), ("a", "ab\nc", 1, "a", "ab"),
            ("ab\nc", "a\nc", 1, "ab", "a"),
            ("a\r\nb", "a\nb", 1, "a␍", "a"), ("a\r", "a\r\r", 1, "a␍", "a␍␍"), ("a\rb", "a\nb", 1, "a␍b", "a"),
            ("\n\n\nx", "\n\n\ny", 4, "x", "y"), ("é", "e\u{301}", 1, "é", "e\u{301}"),
            ("a\n\nb", "a\nb", 2, "", "b"),
            ("x😀y", "x😁y", 1, "x😀y", "x😁y"), ("a\nb", "a\nb\n\nc", 3, nil, ""),
            ("\r\n", "\r\n\r\n", 2, "", "␍"),
        ] as [(String, String, Int, String?, String?)]
    )
    func firstLine(_ left: String, _ right: String, _ line: Int, _ leftLine: String?, _ rightLine: String?)
        throws
    {
        let difference = try #require(TextDifference(left, right))
        #expect(difference.line == line)
        #expect(difference.left.map { Array($0.utf8) } == leftLine.map { Array($0.utf8) })
        #expect(difference.right.map { Array($0.utf8) } == rightLine.map { Array($0.utf8) })
    }

    @Test("Equal texts have no difference", arguments: ["", "\n", "a", "a\r\nb\n", "é😀"])
    func equal(_ text: String) {
        #expect(TextDifference(text, text) == nil)
    }

    @Test("The difference agrees with comparing all lines")
    func allLines() {
        var generator = SplitMix64(seed: 11)
        for _ in 0..<5000 {
            let left = Self.text(&generator)
            let right = Self.text(&generator)
            let (leftLines, rightLines) = (Self.lines(of: left), Self.lines(of: right))
            let index = (0..<max(leftLines.count, rightLines.count)).first { index in
                leftLines.dropFirst(index).first != rightLines.dropFirst(index).first
            }
            let difference = TextDifference(left, right)
            #expect(difference?.line == index.map { $0 + 1 })
            #expect(difference?.left == index.flatMap { leftLines.dropFirst($0).first })
            #expect(difference?.right == index.flatMap { rightLines.dropFirst($0).first })
        }
    }

    private static func text(_ generator: inout SplitMix64) -> String {
        let letters = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            "ab\n\n\r".utf8.randomElement(using: &generator)
        }
        return String(decoding: letters.compactMap { $0 }, as: UTF8.self)
    }

    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.flatMap { $0 == UInt8(ascii: "\r") ? Array("␍".utf8) : [$0] }, as: UTF8.self)
        }
    }
}
