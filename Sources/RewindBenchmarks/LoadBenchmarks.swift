import Foundation
import Rewind

/// What a test pays at its start for a great cassette: opening it, ready for the first request.
enum LoadBenchmarks {
    static let all = [json, read, lookup] + memory

    private static let count = 10_000

    /// A cassette of 25 MB.
    private static func greatTape() throws -> Tape {
        try Tape(Workload.cassette(count: count, bodyBytes: 900))
    }

    /// The time `JSONDecoder` takes for a file of 25 MB, over that of opening the cassette.
    private static let json = Benchmark("load/json", .atLeast(5), isShort: true) {
        let tape = try greatTape()
        return Benchmark.Sides(
            numerator: { try await decodingSeconds(tape) },
            denominator: { try await Measurement.seconds { _ = try tape.stubber(.none) } }
        )
    }

    /// The time of opening the cassette, over that of reading the bytes of its file, each in a process that has not
    /// done so before.
    private static let read = Benchmark("load/read", .atMost(6)) {
        let tape = try greatTape()
        return Benchmark.Sides(
            numerator: { try ChildSample.openingSeconds.number(tape.file) },
            denominator: { try ChildSample.readingSeconds.number(tape.file) }
        )
    }

    /// The time `JSONDecoder` takes for the file, over that of opening the cassette and answering two requests, of which
    /// one is missed and gets its story: whether what is saved at the start is paid at the first request.
    private static let lookup = Benchmark("load/lookup", .atLeast(5), isShort: true) {
        let tape = try greatTape()
        return Benchmark.Sides(
            numerator: { try await decodingSeconds(tape) },
            denominator: { try await Measurement.seconds { try lookUp(in: tape.stubber(.none)) } }
        )
    }

    private static func decodingSeconds(_ tape: Tape) async throws -> Double {
        try await Measurement.seconds {
            let archive = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: tape.file))
            guard archive.log.entries.count == count else { throw BenchmarkError("entries are missing") }
        }
    }

    /// Looks for a request that the cassette has and for one that it lacks.
    static func lookUp(in stubber: Stubber) throws {
        let (known, unknown) = (Request(url: Workload.url(count - 1)), Request(url: Workload.url(count)))
        guard case .play = stubber.answer(to: known, completed: { known }),
            case .refuse = stubber.answer(to: unknown, completed: { unknown })
        else { throw BenchmarkError("what was found is not what is there") }
    }

    #if os(Linux)
        /// The peak of memory that opening the cassette adds, over the size of its file.
        private static let memory = [
            Benchmark("load/memory", .atMost(1.5), isShort: true) {
                let tape = try greatTape()
                let small = try Tape(Workload.cassette(count: 1, bodyBytes: 900))
                let size = try Double(Data(contentsOf: tape.file).count)
                return Benchmark.Sides(
                    numerator: {
                        try ChildSample.openingPeak.number(tape.file)
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
