import Foundation
import Rewind

/// What a test pays at its end for a great recording.
enum SaveBenchmarks {
    static let all = [json]

    /// The time `JSONEncoder` takes for a model of a file of 25 MB, over that of writing the cassette: redacted, looked
    /// through for credentials, and forced to the disk.
    private static let json = Benchmark("save/json", .atLeast(2)) {
        let count = 10_000
        let cassette = Workload.cassette(count: count, bodyBytes: 900)
        let archive = try JSONDecoder().decode(Archive.self, from: HARFormat.write(cassette))
        let tape = try Tape()
        return Benchmark.Sides(
            numerator: {
                try await Measurement.seconds {
                    guard try JSONEncoder().encode(archive).count > count else {
                        throw BenchmarkError("nothing")
                    }
                }
            },
            denominator: {
                let stubber = try tape.stubber(.all)
                for interaction in cassette.interactions {
                    let request = interaction.request
                    guard case .forward(let recording?, _) = stubber.answer(to: request, completed: { request })
                    else {
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
