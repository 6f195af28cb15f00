import Foundation
import RewindTestSupport
import Testing

@testable import RewindCLI

struct HelpTests {
    @Test(
        "The help of each subcommand is shown in three ways",
        arguments: CommandLineTool.subcommands.map { $0.synopsis.name }
    )
    func helps(_ name: String) throws {
        let folder = try TemporaryDirectory()
        let run = try CommandRun([name, "--help"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.complaints.isEmpty)
        #expect(try CommandRun(["help", name], in: folder.url).output == run.output)
        #expect(try CommandRun([name, "-h"], in: folder.url).output == run.output)
        try expectGolden(run.output, "help/\(name).txt")
    }

    @Test("Words that are off end with 64 and tell what was meant")
    func usage() throws {
        let folder = try TemporaryDirectory()
        for (words, hint) in [
            (["dmo"], "did you mean `demo`?"), (["demo", "--kep"], "did you mean `--keep`?"),
            (["demo", "--keep"], "needs a value"), (["help", "dmo"], "did you mean `demo`?"),
        ] {
            let run = try CommandRun(words, in: folder.url)
            #expect(run.status == 64)
            #expect(run.output.isEmpty)
            #expect(run.complaints.contains(hint))
        }
    }

    @Test("The worse of two ends is the end of both")
    func statuses() {
        #expect(ExitStatus.success.and(.failure) == .failure)
        #expect(ExitStatus.badData.and(.failure) == .badData)
        #expect(ExitStatus.success.and(.success) == .success)
    }
}
