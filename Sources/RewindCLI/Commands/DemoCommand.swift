import Foundation
import Rewind
import RewindServer

struct DemoCommand: Subcommand {
    private static let keep = Option(
        "--keep DIR",
        "keep the cassette in this folder; default: delete it",
        .folder
    )

    static let synopsis = Synopsis(
        name: "demo",
        summary: "record requests to a local server, replay them without it and compare every byte",
        options: [keep],
        examples: ["rewind demo --keep /tmp/rewind"]
    )

    private let folder: URL
    private let isKept: Bool

    init(_ arguments: ParsedArguments) throws {
        let keep = arguments[Self.keep]
        isKept = keep != nil
        let temporary = FileManager.default.temporaryDirectory
        folder =
            keep.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? temporary.appendingPathComponent("rewind-demo-\(UUID().uuidString)")
    }

    func run(in console: Console) async throws -> ExitStatus {
        defer { if !isKept { try? FileManager.default.removeItem(at: folder) } }
        let server = HTTPServer.forDemo()
        let url = try server.start()
        console.print("Recording requests to \(url.absoluteString) …")
        let run = DemoRun(client: DemoClient(server: url), folder: folder)
        let live = try await run.record()
        server.stop()
        console.print("Stopped the server. Replaying the same requests …\n")
        let replayed = try await run.replay()
        let report = DemoReport(live: live, replayed: replayed)
        console.print(report.table)
        let note = isKept ? "" : " (deleted; to keep it, use --keep DIR)"
        console.print("\nCassette: \(run.cassette.path)\(note)")
        if let difference = report.firstDifference {
            console.print("\nThe replay differs from the recording: \(difference)")
            return .failure
        }
        console.print("All \(live.count) answers are identical: status, headers and every byte of the body.")
        return .success
    }
}

extension HTTPServer {
    fileprivate static func forDemo() -> HTTPServer {
        let clock = Locked(0)
        return HTTPServer { request, response in
            func respond(_ type: String, _ body: Data, status: Int = 200) throws {
                try response.respond(status: status, headers: ["Content-Type": type], body: body)
            }
            switch (request.method, request.path) {
            case ("GET", "/user"): try respond("application/json", Data(#"{"id": 42}"#.utf8))
            case ("POST", "/posts"):
                try response.respond(
                    status: 201,
                    headers: ["Content-Type": "application/json", "Location": "/posts/1"],
                    body: request.body
                )
            case ("GET", "/clock"):
                let tick = clock.withLock { tick in
                    tick += 1
                    return tick
                }
                try respond("text/plain", Data("tick \(tick)".utf8))
            case ("GET", "/old"): try response.respond(status: 302, headers: ["Location": "/user"])
            case ("GET", "/image"):
                let pixels = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
                try respond("image/x-demo", pixels)
            case ("DELETE", "/session"): try response.respond(status: 204)
            case ("GET", "/feed"):
                try response.begin(headers: ["Content-Type": "text/event-stream"])
                for number in 1...4 {
                    try response.write(Data("data: \(number)\n\n".utf8))
                    Thread.sleep(forTimeInterval: 0.02)
                }
                try response.end()
            default: try respond("text/plain", Data("There is nothing here.".utf8), status: 404)
            }
        }
    }
}
