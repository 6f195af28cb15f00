import Foundation
import Rewind

/// `rewind demo`: the main job, on a real server.
struct DemoCommand: Subcommand {
    private static let keep = Synopsis.Option(
        name: "--keep",
        value: "DIR",
        meaning: "the folder in which the cassette is left; it is removed by default",
        kind: .folder
    )

    static let synopsis = Synopsis(
        name: "demo",
        summary:
            "record a conversation with a real server, stop it, replay the same code and compare every byte",
        options: [keep],
        examples: ["rewind demo --keep /tmp/rewind"]
    )

    private let folder: URL
    private let isKept: Bool

    init(_ arguments: ParsedArguments) throws {
        let keep = arguments[Self.keep]
        isKept = keep != nil
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rewind-demo-\(UUID().uuidString)"
        )
        folder = keep.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? temporary
    }

    func run(in console: Console) async throws -> ExitStatus {
        defer { if !isKept { try? FileManager.default.removeItem(at: folder) } }
        let server = DemoServer()
        let url = try server.start()
        console.print("Recording a conversation with a server on \(url.absoluteString) …")
        let run = DemoRun(conversation: DemoConversation(server: url), folder: folder)
        let live = try await run.record()
        server.stop()
        console.print("The server is stopped. Replaying the same code …\n")
        let replayed = try await run.replay()
        let report = DemoReport(live: live, replayed: replayed)
        console.print(report.table)
        console.print(
            "\nCassette: \(run.cassette.path)\(isKept ? "" : " (removed again; `--keep DIR` leaves it)")"
        )
        if let difference = report.firstDifference {
            console.print("\nThe replay differs: \(difference)")
            return .failure
        }
        console.print("Every status, header and byte of \(live.count) answers is the same.")
        return .success
    }
}
