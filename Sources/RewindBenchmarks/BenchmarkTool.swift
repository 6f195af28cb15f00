import Foundation

/// Runs the benchmarks and prints their results.
@main
enum BenchmarkTool {
    private static let benchmarks: [Benchmark] =
        RecordBenchmarks.all + BodyBenchmarks.all + MemoryBenchmarks.all + ReplayBenchmarks.all
        + LookupBenchmarks.all
        + LoadBenchmarks.all + SaveBenchmarks.all + StartBenchmarks.all + StubBenchmarks.all
        + ServerBenchmarks.all + RespondBenchmarks.all + SweepBenchmarks.all

    /// Exits with 0 if every benchmark passes, with 1 if one fails, and with 2 if the benchmarks cannot be run.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.first == ChildSample.argument {
                try await ChildSample.run(Array(arguments.dropFirst()))
            } else {
                exit(try await measure(BenchmarkOptions(arguments)))
            }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func measure(_ options: BenchmarkOptions) async throws -> Int32 {
        let chosen = benchmarks.filter(options.includes)
        guard !chosen.isEmpty else {
            let names = benchmarks.map(\.name).joined(separator: ", ")
            throw BenchmarkError("no matching benchmark; expected \(names)")
        }
        var figures: [Figure] = []
        for benchmark in chosen {
            let figure = try await Figure(of: benchmark)
            figures.append(figure)
            FileHandle.standardOutput.write(Data("\(figure)\n".utf8))
        }
        if let file = options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(figures).write(to: URL(fileURLWithPath: file))
        }
        let passed = figures.count { $0.passes }
        print(
            "\(passed) of \(figures.count) passed (median of \(Figure.rounds) rounds, tolerance \(Int(Bar.margin * 100)) %)"
        )
        return passed == figures.count ? 0 : 1
    }
}

struct BenchmarkOptions {
    /// The name of a benchmark, of a group, or the beginning of names up to a hyphen; all benchmarks if it is `nil`.
    private var only: String?
    private var isShort = false
    private(set) var json: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--short" {
                isShort = true
                continue
            }
            guard ["--only", "--json"].contains(option) else {
                throw BenchmarkError(
                    "unexpected argument '\(option)': expected --short, --only NAME or --json FILE"
                )
            }
            guard let value = rest.popFirst() else { throw BenchmarkError("missing value for \(option)") }
            switch option {
            case "--only": only = value
            default: json = value
            }
        }
    }

    func includes(_ benchmark: Benchmark) -> Bool {
        guard benchmark.isShort || !isShort else { return false }
        guard let only else { return true }
        return benchmark.name == only || benchmark.name.hasPrefix(only + "/")
            || benchmark.name.hasPrefix(only + "-")
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
