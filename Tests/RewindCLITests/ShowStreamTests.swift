import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

/// The output of large cassettes, which is written one interaction at a time.
struct ShowStreamTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("JSON has the layout of a document that is written at once")
    func layout() throws {
        let bodies = [
            Data(), Data("text \u{1}\u{202E} é".utf8), Data([0]), Data([0xFF, 0xFE]), Data("{ }".utf8),
        ]
        let all = bodies.enumerated().map { number, body in
            let response = Interaction.Response(
                headers: ["A": "1", "B": "\u{9F}"],
                body: Interaction.Body(body)
            )
            let request = Interaction.Request(method: "POST", url: "https://h/\(number)", body: response.body)
            return Interaction(request: request, outcome: .response(response))
        }
        for count in 0...all.count {
            let interactions = Array(all.prefix(count))
            try Cassette(interactions: interactions).write(to: folder["talk.har"])
            let run = try CommandRun(["show", "talk.har", "--json"], in: folder.url)
            let json = try JSON(parsing: run.data)
            #expect(json.arrayValue?.count == count)
            #expect(run.output == VisibleText.lines(String(decoding: json.serialized(), as: UTF8.self)))
            let written = try CommandRun(
                ["show", "talk.har", "--json", "--output", "talk.json"],
                in: folder.url
            )
            #expect(written.status == 0)
            #expect(try Data(contentsOf: folder["talk.json"]) == run.data)
        }
    }

    @Test(
        "Controls and marks of direction are escaped, and other text is not",
        arguments: [
            "\u{1}", "\u{7F}", "\u{80}", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{202E}",
            "\u{2066}",
            "\u{2069}", "\u{FEFF}", "é", "\u{A0}", "\u{61B}", "\u{200D}", "\u{2010}", "\u{202F}", "\u{2065}",
            "\u{FEFE}", "😀",
        ]
    )
    func controls(_ text: String) throws {
        let json: JSON = [.string("a\(text)b"), .string(text)]
        let bytes = VisibleText.json(json.serialized())
        #expect(String(decoding: bytes, as: UTF8.self) == VisibleText.json(json) + "\n")
    }

    /// The words that another program prints.
    private func wordsPrinted(by program: String, _ arguments: String...) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder.url
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }

    @Test("A closed pipe ends the output quietly", arguments: ["--json", "--html", "--full"])
    func closedPipe(_ option: String) throws {
        let large = (0..<200).map { Interaction.text("https://h/\($0)", String(repeating: "x", count: 20_000)) }
        try Cassette(interactions: large).write(to: folder["talk.har"])
        let script = "'\(CommandRun.executable.path)' show talk.har \(option) | head -c 1 | wc -c"
        #expect(try wordsPrinted(by: "sh", "-c", "(\(script)) 2>&1") == ["1"])
    }

    @Test("JSON of a large archive takes little more memory than its file")
    func memory() throws {
        let count = 400
        let body = String(repeating: "x", count: 40_000)
        let large = (0..<count).map { Interaction.text("https://h/\($0)", body) }
        try Cassette(interactions: large).write(to: folder["talk.har"])
        let script = """
            import os, sys
            def peak(*words):
                process = os.fork()
                if process == 0:
                    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                    os.execv(sys.argv[1], [sys.argv[1], *words])
                return os.wait4(process, 0)[2].ru_maxrss
            print(peak("show", "talk.har", "1", "--json"), peak("show", "talk.har", "--json"))
            """
        let peaks = try wordsPrinted(by: "python3", "-c", script, CommandRun.executable.path).compactMap {
            Int($0)
        }
        try #require(peaks.count == 2, "needs python3: apt-get install python3, or brew install python3")
        // The unit of the figures is kilobytes on Linux and bytes on macOS, so they are compared with each other.
        #expect(Double(peaks[1]) < 1.25 * Double(peaks[0]), "all interactions were in memory at once")
    }
}
