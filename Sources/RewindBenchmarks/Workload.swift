import Foundation
import Rewind
import RewindTestSupport

/// The data that is recorded and replayed: the same in every run.
enum Workload {
    static func url(_ number: Int) -> String { "http://benchmark.invalid/items/\(number)?page=\(number % 7)" }

    /// A cassette whose responses have JSON bodies of about the given size.
    static func cassette(count: Int, bodyBytes: Int) -> Cassette {
        var generator = SplitMix64(seed: 2024)
        return Cassette(
            interactions: (0..<count).map { number in
                Interaction(
                    request: Interaction.Request(url: url(number), headers: requestHeaders),
                    outcome: .response(
                        Interaction.Response(
                            headers: responseHeaders,
                            body: Interaction.Body(json(number, bytes: bodyBytes, &generator))
                        )
                    ),
                    startedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
                    timing: Interaction.Timing(wait: 12.5, receive: 1.25)
                )
            }
        )
    }

    static func bytes(_ count: Int) -> Data {
        var generator = SplitMix64(seed: 2025)
        var data = Data(capacity: count)
        while data.count < count { withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) } }
        return data.prefix(count)
    }

    static let secretQuery = "?page=2&access_token=4f9a7c21e0b84d5f9d3c"

    /// A response with a credential and about two thousand other bytes.
    static let secretAnswer: Data = {
        var generator = SplitMix64(seed: 2026)
        let items = json(7, bytes: 2000, &generator).dropFirst()
        return Data((#"{"refresh_token": "c2b1a09f8e7d6c5b4a39", "#.utf8)) + Data(items.utf8)
    }()

    private static let requestHeaders: HeaderList = [
        "Accept": "application/json", "Accept-Language": "de-DE,de;q=0.9", "User-Agent": "Benchmark/1.0",
    ]

    static let responseHeaders: HeaderList = [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-cache", "Server": "benchmark",
        "Vary": "Accept, Accept-Language",
    ]

    /// A JSON document of some bytes.
    static func json(_ count: Int) -> Data {
        var generator = SplitMix64(seed: 2027)
        return Data(json(1, bytes: count, &generator).utf8)
    }

    /// Sentences of ordinary words, in lines.
    static func prose(_ count: Int) -> Data {
        var generator = SplitMix64(seed: 2028)
        let words =
            "the quick Brown fox's path: leads over (seven) hills, and then Grüße to everybody = who reads on. A"
            .split(separator: " ")
        var text = ""
        text.reserveCapacity(count + 16)
        while text.utf8.count < count {
            let number = generator.next()
            text += words[Int(number % UInt64(words.count))]
            text += number >> 32 % 12 == 0 ? "\n" : " "
        }
        return Data(text.utf8)
    }

    private static func json(_ number: Int, bytes: Int, _ generator: inout SplitMix64) -> String {
        var items: [String] = []
        var length = 0
        while length < bytes {
            let item = #"{"id": \#(generator.next() % 1_000_000), "name": "Grüße", "seen": true}"#
            items.append(item)
            length += item.utf8.count + 2
        }
        return #"{"number": \#(number), "items": [\#(items.joined(separator: ", "))]}"#
    }
}

/// A cassette in a temporary folder, which is removed with the value.
struct TemporaryCassette: Sendable {
    private let folder: TemporaryDirectory

    var file: URL { folder["cassette.har"] }

    init() throws { folder = try TemporaryDirectory() }

    init(_ cassette: Cassette) throws {
        try self.init()
        try HARFormat.write(cassette).write(to: file)
    }

    /// Creates a cassette with one response, whose body is in a file beside the cassette.
    init(bodyBytes: Int) throws {
        try self.init()
        let response = Interaction.Response(
            headers: ["Content-Type": "application/octet-stream"],
            body: Interaction.Body(Workload.bytes(bodyBytes))
        )
        let interaction = Interaction(
            request: Interaction.Request(url: Workload.url(0)),
            outcome: .response(response)
        )
        let cassette = Cassette(interactions: [interaction])
        try CassetteRewrite(cassette, to: file, from: folder.url).write()
    }

    func stubber(
        _ mode: RecordingMode,
        repeats: Stubber.Configuration.Repeats = .never,
        redaction: Redaction = .default,
        logs: Bool = false
    ) throws -> Stubber { try Self.stubber(of: file, mode, repeats: repeats, redaction: redaction, logs: logs) }

    /// Creates a stubber that ignores the environment.
    static func stubber(
        of file: URL,
        _ mode: RecordingMode,
        repeats: Stubber.Configuration.Repeats = .never,
        redaction: Redaction = .default,
        logs: Bool = false
    ) throws -> Stubber {
        var configuration = Stubber.Configuration()
        configuration.redaction = redaction
        configuration.repeats = repeats
        if logs { configuration.log = { _ in } }
        return try Stubber(
            at: CassetteLocation(file),
            mode: mode,
            configuration: configuration,
            environment: Environment([:])
        )
    }

    /// Runs a closure with a stubber of the cassette, and writes the cassette if that records.
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
