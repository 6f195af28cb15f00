import Foundation
import Rewind

/// `rewind demo`: the main job, on a real server.
struct DemoCommand {
    private let folder: URL
    private let isKept: Bool

    init(arguments: [String]) throws {
        var keep: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--keep":
                guard let value = rest.popFirst() else { throw UsageError.missingValue(argument) }
                keep = value
            case let argument where argument.hasPrefix("--keep="):
                keep = String(argument.dropFirst("--keep=".count))
            default:
                throw UsageError.unknownOption(argument)
            }
        }
        isKept = keep != nil
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rewind-demo-\(UUID().uuidString)"
        )
        folder = keep.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? temporary
    }

    func run() async throws -> ExitStatus {
        defer { if !isKept { try? FileManager.default.removeItem(at: folder) } }
        let server = DemoServer()
        let url = try server.start()
        print("Recording a conversation with a server on \(url.absoluteString) …")
        let run = DemoRun(conversation: DemoConversation(server: url), folder: folder)
        let live = try await run.record()
        server.stop()
        print("The server is stopped. Replaying the same code …\n")
        let replayed = try await run.replay()
        let report = DemoReport(live: live, replayed: replayed)
        print(report.table)
        print("\nCassette: \(run.cassette.path)\(isKept ? "" : " (removed again; `--keep DIR` leaves it)")")
        if let difference = report.firstDifference {
            print("\nThe replay differs: \(difference)")
            return .failure
        }
        print("Every status, header and byte of \(live.count) answers is the same.")
        return .success
    }
}
