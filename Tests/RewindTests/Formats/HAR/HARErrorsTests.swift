import Foundation
@testable import Rewind
import RewindTestSupport
import Testing

struct HARErrorsTests {
    private func fix(_ error: CassetteError) -> String { "The file was not changed. \(error.problem.remedy)" }

    private func problem(of data: Data) throws -> CassetteError.Problem {
        try #require(throws: CassetteError.Problem.self) { try HARFormat.read(data) }
    }

    /// The error of a file with these bytes, and its path.
    private func error(of data: Data) throws -> (error: CassetteError, path: String) {
        let folder = try TemporaryDirectory()
        let url = folder["talk.har"]
        try data.write(to: url)
        let error = try #require(throws: CassetteError.self) { try Cassette(contentsOf: url) }
        #expect(try Data(contentsOf: url) == data, "a file that cannot be read is left as it was")
        return (error, url.path)
    }

    private static func sample() -> Data {
        var source = RandomSource(seed: 3)
        let own = (0..<3).map { _ in source.interaction() }
        return HARFormat.write(Cassette(interactions: own))
    }

    @Test(
        "A truncated file is an error, never a shorter cassette",
        arguments: [sample(), HARSamples.foreign]
    )
    func truncation(_ data: Data) throws {
        let end = try #require(data.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end {
            guard case .syntax(let line, let column, let cause) = try problem(of: data.prefix(count)) else {
                Issue.record("no syntax error at \(count)")
                continue
            }
            let lines = data.prefix(count).split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            // A truncated word is reported at its start, which is on the last line.
            #expect(line == lines.count)
            #expect(column >= 1 && column <= (lines.last?.count ?? 0) + 1)
            #expect(!cause.isEmpty)
        }
        for count in end + 1...data.count {
            #expect(try HARFormat.read(data.prefix(count)) == HARFormat.read(data))
        }
    }

    @Test("Every entry point reports a truncated file with its path")
    func truncatedFile() throws {
        let data = Self.sample()
        for count in stride(from: 1, to: data.count - 1, by: 10) {
            let (error, path) = try error(of: data.prefix(count))
            #expect(error.path == path)
            #expect(error.description.hasPrefix("The cassette \(path):"))
            #expect(error.description.hasSuffix("\n  " + fix(error)))
        }
    }

    @Test("An empty file is reported as empty")
    func empty() throws {
        let (error, path) = try error(of: Data())
        #expect(error == CassetteError(path: path, problem: .empty))
        #expect(error.description == "The cassette \(path) is empty.\n  \(fix(error))")
    }

    @Test(
        "An unknown format is reported with the list of known formats",
        arguments: [
            " \n\t", "\u{FEFF}", "[]", "[{}]", "[1]", "null", "\"{}\"", "<!DOCTYPE html>", "---\nversion: 1\n",
            "bplist00", "\0\0\0", "\u{1F}\u{8B}",
        ]
    )
    func unknownFormat(_ text: String) throws {
        let (error, path) = try error(of: Data(text.utf8))
        let known = CassetteFormat.allCases.map(\.name).joined(separator: ", ")
        #expect(error.problem == .unknownFormat)
        #expect(
            error.description
                == "The cassette \(path) is not in a format that Rewind reads (\(known)).\n  \(fix(error))"
        )
    }

    @Test(
        "JSON that is not HAR is an error with the unexpected part",
        arguments: [
            ("{}", "`log`", "expected an object"),
            (#"{"pins": [], "version": 3}"#, "`log`", "expected an object"),
            (#"{"log": []}"#, "`log`", "expected an object"),
            (#"{"log": null}"#, "`log`", "expected an object"),
            (#"{"log": {}}"#, "`log.entries`", "expected an array"),
            (#"{"log": {"entries": {}}}"#, "`log.entries`", "expected an array"),
            (#"{"log": {"entries": null}}"#, "`log.entries`", "expected an array"),
            (
                #"{"log": {"version": "2.0", "entries": []}}"#, "`log.version`",
                "expected version 1.2, found 2.0"
            ),
            (
                #"{"log": {"version": "11", "entries": []}}"#, "`log.version`",
                "expected version 1.2, found 11"
            ),
            (#"{"log": {"entries": [{}]}}"#, "`log.entries`", "no entry has a method and a URL"),
            (
                #"{"log": {"entries": [{"request": {"method": "GET"}}, {"request": {"url": "x:"}}]}}"#,
                "`log.entries`", "no entry has a method and a URL"
            ),
        ]
    )
    func foreignJSON(_ text: String, _ place: String, _ cause: String) throws {
        let (error, path) = try error(of: Data(text.utf8))
        #expect(error.problem == .structure(place: place, cause: cause))
        #expect(
            error.description == "The cassette \(path) is invalid at \(place): \(cause).\n  \(fix(error))"
        )
    }

    @Test(
        "A syntax error has its line and column",
        arguments: [
            ("{", 1, 2, "unexpected end of input in an object"),
            ("{\n  \"log\": {,\n", 2, 11, "expected a member name in double quotes"),
            ("{\n\"é\": 1,\n\"é😀\" 2}", 3, 6, "expected ':' after a member name"),
            ("{}\n{}", 2, 1, "unexpected text after the end of the document"),
            ("{\"log\": {\"entries\": [1,]}}", 1, 23, "unexpected trailing comma"),
            ("{\"a\": \"\n\"}", 1, 8, "unescaped control character U+000A in a string"),
            ("{\n<< HEAD\n", 2, 1, "expected a member name in double quotes"),
            ("{\"a\": 01}", 1, 7, "a number must not have leading zeros"),
        ]
    )
    func syntax(_ text: String, _ line: Int, _ column: Int, _ cause: String) throws {
        let (error, path) = try error(of: Data(text.utf8))
        #expect(error.problem == .syntax(line: line, column: column, cause: cause))
        #expect(
            error.description
                == "The cassette \(path):\(line):\(column) is invalid: \(cause).\n  \(fix(error))"
        )
    }

    @Test("Invalid UTF-8 is an error with its place")
    func notUTF8() throws {
        let (error, _) = try error(of: Data("{\n\"a\": \"b".utf8) + [0xFF] + Data("\"}".utf8))
        #expect(error.problem == .syntax(line: 2, column: 8, cause: "the text is not valid UTF-8"))
    }

    @Test("Deeply nested arrays are rejected")
    func tooDeep() throws {
        let (error, _) = try error(of: Data(("{\"log\":" + String(repeating: "[", count: 100_000)).utf8))
        #expect(error.problem == .syntax(line: 1, column: 135, cause: "nested deeper than 128 levels"))
    }

    @Test("A missing file and a folder are reported as unreadable", arguments: ["missing.har", "."])
    func unreadable(_ name: String) throws {
        let folder = try TemporaryDirectory()
        let url = folder[name]
        let error = try #require(throws: CassetteError.self) { try Cassette(contentsOf: url) }
        guard case .unreadable(let cause) = error.problem else {
            Issue.record("\(error)")
            return
        }
        let file = try #require(UnreadableFile(cause: cause))
        #expect(
            error.description
                == "The cassette \(url.path) cannot be read: \(cause).\n  \(file.recoverySuggestion)"
        )
    }

    @Test(
        "Every problem names the file and the fix",
        arguments: [
            (.empty, "Restore the whole file"), (.unknownFormat, "HAR 1.2, DVR"),
            (.syntax(line: 1, column: 2, cause: "c"), ":1:2 "),
            (.structure(place: "p", cause: "c"), " at p: c."),
            (.tooLarge("c"), "split the test"), (.unreadable("c"), "may read"),
            (.unwritable("c"), "try again"),
        ] as [(CassetteError.Problem, String)]
    )
    func messages(_ problem: CassetteError.Problem, _ part: String) {
        let error = CassetteError(path: "/a b/talk.har", problem: problem)
        #expect(error.description.contains("/a b/talk.har"))
        #expect(error.description.contains(part))
        #expect(error.description.contains("\n  "))
        #expect(error.description == "\(error.errorDescription ?? "")\n  \(error.recoverySuggestion ?? "")")
        #expect((error as any Error).localizedDescription == error.errorDescription)
    }
}
