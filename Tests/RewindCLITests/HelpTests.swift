import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct HelpTests {
    @Test(
        "'help NAME', 'NAME --help' and 'NAME -h' print the help of a subcommand",
        arguments: CommandLineTool.subcommands.map { $0.synopsis.name }
    )
    func helps(_ name: String) throws {
        let folder = try TemporaryDirectory()
        let run = try CommandRun([name, "--help"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.errorOutput.isEmpty)
        #expect(try CommandRun(["help", name], in: folder.url).output == run.output)
        #expect(try CommandRun([name, "-h"], in: folder.url).output == run.output)
        try expectGolden(run.output, "help/\(name).txt")
    }

    @Test("Invalid arguments exit with 64 and suggest a similar name")
    func usage() throws {
        let folder = try TemporaryDirectory()
        for (words, hint) in [
            (["dmo"], "did you mean 'demo'?"), (["demo", "--kep"], "did you mean '--keep'?"),
            (["demo", "--keep"], "missing value"), (["help", "dmo"], "did you mean 'demo'?"),
        ] {
            let run = try CommandRun(words, in: folder.url)
            #expect(run.status == 64)
            #expect(run.output.isEmpty)
            #expect(run.errorOutput.contains(hint))
        }
    }

    @Test("A cassette that cannot be read has another exit status than one that is not written")
    func statusesOfErrors() {
        let problems: [(CassetteError.Problem, RewindCLI.ExitStatus)] = [
            (.empty, .badData), (.unknownFormat, .badData), (.unreadable("x"), .badData),
            (.tooLarge("x"), .badData), (.syntax(line: 1, column: 1, cause: "x"), .badData),
            (.unwritable("x"), .failure), (.unredactedCredentials([]), .failure),
            (.inUse(by: "a", test: "b", isRecording: true), .failure),
        ]
        for (problem, status) in problems {
            #expect(
                RewindCLI.ExitStatus(of: CassetteError(path: "a.har", problem: problem)) == status,
                "\(problem)"
            )
        }
    }

    @Test("The exit status of several inputs is the worst one")
    func statuses() {
        #expect(ExitStatus.success.and(.failure) == .failure)
        #expect(ExitStatus.badData.and(.failure) == .badData)
        #expect(ExitStatus.success.and(.success) == .success)
    }
}
