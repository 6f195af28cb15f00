import Foundation
import Rewind
import RewindTestSupport

/// A cassette in a folder of its own, which is removed with the value.
struct Tape: Sendable {
    private let folder: TemporaryDirectory

    /// The file, which is there when something was recorded.
    var file: URL { folder["tape.har"] }

    /// Makes a tape on which nothing is recorded yet.
    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Makes a tape of a cassette.
    init(_ cassette: Cassette) throws {
        try self.init()
        try HARFormat.write(cassette).write(to: file)
    }

    /// Makes a tape of one answer, whose body stands in a file beside the cassette.
    init(bodyBytes: Int) throws {
        try self.init()
        let response = Response(
            headers: ["Content-Type": "application/octet-stream"],
            body: Body(Workload.bytes(bodyBytes))
        )
        let interaction = Interaction(request: Request(url: Workload.url(0)), outcome: .response(response))
        let archive = HARFormat.archive(
            Cassette(interactions: [interaction]),
            bodiesIn: "tape.bodies",
            beside: Attachments(in: folder.url)
        ) { _, _ in true }
        try FileManager.default.createDirectory(at: folder["tape.bodies"], withIntermediateDirectories: true)
        for (path, data) in archive.bodies { try data.write(to: folder[path]) }
        try archive.document.write(to: file)
    }

    /// A stubber of the tape, whatever the environment says.
    func stubber(
        _ mode: RecordingMode,
        repeats: Repeats = .never,
        redaction: Redaction = .default
    ) throws -> Stubber {
        try Self.stubber(of: file, mode, repeats: repeats, redaction: redaction)
    }

    /// A stubber of a cassette, whatever the environment says.
    static func stubber(
        of file: URL,
        _ mode: RecordingMode,
        repeats: Repeats = .never,
        redaction: Redaction = .default
    ) throws -> Stubber {
        var configuration = Configuration()
        configuration.redaction = redaction
        configuration.repeats = repeats
        return try Stubber(
            at: CassetteLocation(file),
            mode: mode,
            configuration: configuration,
            environment: Environment([:])
        )
    }

    /// Runs code that a stubber of the tape serves, and writes what was recorded.
    func run<Result: Sendable>(
        _ mode: RecordingMode,
        _ redaction: Redaction = .default,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let scope = try CassetteScope(stubber(mode, redaction: redaction))
        let result = try await scope.run(body)
        await scope.settle()
        try scope.finish()
        return result
    }
}
