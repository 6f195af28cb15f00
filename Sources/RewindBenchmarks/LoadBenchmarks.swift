import Foundation
import Rewind

/// What reading a cassette costs.
enum LoadBenchmarks {
    static let all = [json]

    /// The time `JSONDecoder` takes for a file of 25 MB, over that of a cassette.
    private static let json = Benchmark("load/json", .atLeast(5)) {
        let count = 10_000
        let tape = try Tape(Workload.cassette(count: count, bodyBytes: 900))
        return Benchmark.Sides(
            numerator: {
                try await Measurement.seconds {
                    let archive = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: tape.file))
                    guard archive.log.entries.count == count else {
                        throw BenchmarkError("entries are missing")
                    }
                }
            },
            denominator: {
                try await Measurement.seconds {
                    let cassette = try Cassette(contentsOf: tape.file)
                    guard cassette.interactions.count == count else {
                        throw BenchmarkError("entries are missing")
                    }
                }
            }
        )
    }
}

/// An archive as `Codable` has it, with what a cassette keeps of one.
private struct Archive: Decodable {
    let log: Log

    struct Log: Decodable {
        let version: String
        let entries: [Entry]
    }

    struct Entry: Decodable {
        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        let timings: Timings
    }

    struct Request: Decodable {
        let method: String
        let url: String
        let httpVersion: String
        let headers: [Field]
        let queryString: [Field]
        let postData: Content?
    }

    struct Response: Decodable {
        let status: Int
        let statusText: String
        let httpVersion: String
        let headers: [Field]
        let content: Content
        let redirectURL: String
    }

    struct Field: Decodable {
        let name: String
        let value: String
    }

    struct Content: Decodable {
        let mimeType: String
        let text: String?
        let encoding: String?
        let size: Int?
    }

    struct Timings: Decodable {
        let send: Double
        let wait: Double
        let receive: Double
    }
}
