import Foundation
import Rewind

/// What a test pays at its start for a great cassette: opening it, ready for the first request.
enum LoadBenchmarks {
    static let all = [json, read, lookup] + memory

    private static let count = 10_000

    private static func greatCassette() throws -> TemporaryCassette {
        try TemporaryCassette(Workload.cassette(count: count, bodyBytes: 900))
    }

    /// The time `JSONDecoder` takes for a file of 25 MB, over that of opening the cassette.
    private static let json = Benchmark("load/json", .atLeast(5), isShort: true) {
        let cassette = try greatCassette()
        return Benchmark.Sides(
            numerator: { try await decodingSeconds(cassette) },
            denominator: { try await Measurement.seconds { _ = try cassette.stubber(.never) } }
        )
    }

    /// The time of opening the cassette, over that of reading the bytes of its file, each in a new process.
    private static let read = Benchmark("load/read", .atMost(6)) {
        let cassette = try greatCassette()
        return Benchmark.Sides(
            numerator: { try ChildSample.openingSeconds.number(cassette.file) },
            denominator: { try ChildSample.readingSeconds.number(cassette.file) }
        )
    }

    /// The time `JSONDecoder` takes for the file, over that of opening the cassette and answering two requests, of which
    /// one is missed and gets its diagnosis: whether what is saved at the start is paid at the first request.
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
        else { throw BenchmarkError("what was found is not what is there") }
    }

    #if os(Linux)
        /// The peak of memory that opening the cassette adds, over the size of its file.
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

    /// The time `JSONEncoder` takes for a model of a file of 25 MB, over that of writing the cassette: redacted, looked
    /// through for credentials, and forced to the disk.
    private static let json = Benchmark("save/json", .atLeast(2)) {
        let count = 10_000
        let cassette = Workload.cassette(count: count, bodyBytes: 900)
        let archive = try JSONDecoder().decode(Archive.self, from: HARFormat.write(cassette))
        let saved = try TemporaryCassette()
        return Benchmark.Sides(
            numerator: {
                try await Measurement.seconds {
                    guard try JSONEncoder().encode(archive).count > count else {
                        throw BenchmarkError("nothing")
                    }
                }
            },
            denominator: {
                let stubber = try saved.stubber(.all)
                for interaction in cassette.interactions {
                    let request = interaction.request
                    guard case .forward(let recording?, _) = stubber.answer(to: IncomingRequest(request)) else {
                        throw BenchmarkError("\(request) is not recorded")
                    }
                    recording.finish(interaction.outcome, timing: interaction.timing)
                }
                return try await Measurement.seconds {
                    guard try stubber.eject().recordedCount == count else {
                        throw BenchmarkError("not recorded")
                    }
                }
            }
        )
    }
}

/// An archive as `Codable` has it, with what a cassette keeps of one.
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
