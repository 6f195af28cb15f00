import Foundation
import Rewind

/// The cost of a large cassette at the start of a test.
enum LoadBenchmarks {
    static let all = [json, read, lookup] + memory

    private static let count = 10_000

    private static func greatCassette() throws -> TemporaryCassette {
        try TemporaryCassette(Workload.cassette(count: count, bodyBytes: 900))
    }

    /// The time in which `JSONDecoder` decodes a file of 25 MB, relative to opening the cassette.
    private static let json = Benchmark("load/json", .atLeast(5), isShort: true) {
        let cassette = try greatCassette()
        return Benchmark.Sides(
            numerator: { try await decodingSeconds(cassette) },
            denominator: { try await Measurement.seconds { _ = try cassette.stubber(.never) } }
        )
    }

    /// The time to open the cassette, relative to reading the bytes of its file, each in a new process.
    private static let read = Benchmark("load/read", .atMost(6)) {
        let cassette = try greatCassette()
        return Benchmark.Sides(
            numerator: { try ChildSample.openingSeconds.number(cassette.file) },
            denominator: { try ChildSample.readingSeconds.number(cassette.file) }
        )
    }

    /// The time in which `JSONDecoder` decodes the file, relative to opening the cassette and answering two requests, one of
    /// them a miss with its diagnosis. Shows whether work is only moved from the start to the first request.
    private static let lookup = Benchmark("load/lookup", .atLeast(5), isShort: true) {
        let cassette = try greatCassette()
        return Benchmark.Sides(
            numerator: { try await decodingSeconds(cassette) },
            denominator: { try await Measurement.seconds { try lookUp(in: cassette.stubber(.never)) } }
        )
    }

    private static func decodingSeconds(_ cassette: TemporaryCassette) async throws -> Double {
        try await Measurement.seconds {
            let archive = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: cassette.file))
            guard archive.log.entries.count == count else { throw BenchmarkError("entries are missing") }
        }
    }

    static func lookUp(in stubber: Stubber) throws {
        let (known, unknown) = (
            Interaction.Request(url: Workload.url(count - 1)), Interaction.Request(url: Workload.url(count))
        )
        guard case .play = stubber.answer(to: IncomingRequest(known)),
            case .refuse = stubber.answer(to: IncomingRequest(unknown))
        else { throw BenchmarkError("wrong answer from the cassette") }
    }

    #if os(Linux)
        /// The peak memory that opening the cassette adds, relative to the size of its file.
        private static let memory = [
            Benchmark("load/memory", .atMost(1.5), isShort: true) {
                let cassette = try greatCassette()
                let small = try TemporaryCassette(Workload.cassette(count: 1, bodyBytes: 900))
                let size = try Double(Data(contentsOf: cassette.file).count)
                return Benchmark.Sides(
                    numerator: {
                        try ChildSample.openingPeak.number(cassette.file)
                            - ChildSample.openingPeak.number(small.file)
                    },
                    denominator: { size }
                )
            }
        ]
    #else
        private static let memory: [Benchmark] = []
    #endif
}

enum SaveBenchmarks {
    static let all = [json]

    /// The time in which `JSONEncoder` encodes a model of a 25 MB file, relative to writing the cassette, which includes
    /// redaction, the search for credentials and synchronizing the file.
    private static let json = Benchmark("save/json", .atLeast(2)) {
        let count = 10_000
        let cassette = Workload.cassette(count: count, bodyBytes: 900)
        let archive = try JSONDecoder().decode(Archive.self, from: HARFormat.write(cassette))
        let saved = try TemporaryCassette()
        return Benchmark.Sides(
            numerator: {
                try await Measurement.seconds {
                    guard try JSONEncoder().encode(archive).count > count else {
                        throw BenchmarkError("the encoder wrote nothing")
                    }
                }
            },
            denominator: {
                let stubber = try saved.stubber(.all)
                for interaction in cassette.interactions {
                    let request = interaction.request
                    guard case .forward(let recording?, _) = stubber.answer(to: IncomingRequest(request)) else {
                        throw BenchmarkError("the stubber does not record \(request)")
                    }
                    recording.finish(interaction.outcome, timing: interaction.timing)
                }
                return try await Measurement.seconds {
                    guard try stubber.eject().recordedCount == count else {
                        throw BenchmarkError("the cassette was not written")
                    }
                }
            }
        )
    }
}

/// A `Codable` model of an archive, with the members that a cassette stores.
struct Archive: Codable {
    let log: Log

    struct Log: Codable {
        let version: String
        let entries: [Entry]
    }

    struct Entry: Codable {
        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        let timings: Timings
    }

    struct Request: Codable {
        let method, url, httpVersion: String
        let headers, queryString: [Field]
        let postData: Content?
    }

    struct Response: Codable {
        let status: Int
        let statusText, httpVersion: String
        let headers: [Field]
        let content: Content
        let redirectURL: String
    }

    struct Field: Codable { let name, value: String }

    struct Content: Codable {
        let mimeType: String
        let text, encoding: String?
        let size: Int?
    }

    struct Timings: Codable { let send, wait, receive: Double }
}
