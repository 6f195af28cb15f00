import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// `rewind record` with an upstream that does not answer. The command waits for it, while other tests run.
@Suite(.timeLimit(.minutes(5)))
struct UnansweredRecordTests {
    @Test("A request without a response is a failure although the command succeeded")
    func hanging() async throws {
        let folder = try TemporaryDirectory()
        let release = DispatchSemaphore(value: 0)
        let hanging = HTTPServer { _, response in
            release.wait()
            try response.respond()
        }
        let url = try hanging.start()
        defer {
            release.signal()
            hanging.stop()
        }
        let old = Interaction(
            request: Interaction.Request(url: "\(url.absoluteString)/old"),
            outcome: .response(Interaction.Response(body: Interaction.Body("old")))
        )
        try Cassette(interactions: [old]).write(to: folder["talk.har"])
        let curl = "curl -s --noproxy '*' --max-time 60 \"$REWIND_BASE_URL/hangs\" > /dev/null 2>&1 &"
        let run = try await ChildProcess.run(
            CommandRun.executable,
            [
                "record", url.absoluteString, "--cassette", folder["talk.har"].path, "--", "sh", "-c",
                "\(curl) sleep 1; exit 0",
            ],
            directory: folder.url
        )
        #expect(run.status == 1, "\(run.output)")
        #expect(run.output.contains("no response yet for GET "), "\(run.output)")
        let urls = try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.request.url)
        #expect(urls == ["\(url.absoluteString)/old"], "the cassette is not replaced")
    }
}
