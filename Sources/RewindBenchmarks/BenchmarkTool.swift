import Foundation

/// The command: runs the benchmarks, prints their figures, and says with its status whether they hold.
struct BenchmarkTool {
    private let arguments: [String]

    init(arguments: [String]) {
        self.arguments = arguments
    }

    private static let benchmarks: [Benchmark] =
        RecordBenchmarks.all + MemoryBenchmarks.all + ReplayBenchmarks.all + LookupBenchmarks.all
        + LoadBenchmarks.all + SaveBenchmarks.all + StartBenchmarks.all + StubBenchmarks.all
        + ServerBenchmarks.all

    /// Runs what the arguments ask for: 0 when every bar is held, 1 when one is not, 2 when nothing could be measured.
    func run() async -> Int32 {
        do {
            if arguments.first == ChildSample.argument {
                try await ChildSample.run(Array(arguments.dropFirst()))
                return 0
            }
            return try await measure(try BenchmarkOptions(arguments))
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            return 2
        }
    }

    private func measure(_ options: BenchmarkOptions) async throws -> Int32 {
        let chosen = Self.benchmarks.filter(options.includes)
        guard !chosen.isEmpty else {
            let names = Self.benchmarks.map(\.name).joined(separator: ", ")
            throw BenchmarkError("no benchmark of that name; there are \(names)")
        }
        var report = Report()
        for benchmark in chosen {
            report.add(Figure(benchmark, try await Measurement(of: benchmark)))
        }
        if let file = options.json { try report.json.write(to: URL(fileURLWithPath: file)) }
        report.printSummary()
        return report.holds ? 0 : 1
    }
}

/// What the command line asks for.
struct BenchmarkOptions {
    /// The name, or the beginning of the names, of what is to be run; all where there is none.
    private var only: String?
    /// Whether only what is quick and steady is run.
    private var isShort = false
    /// The file for the figures as JSON, if one is wanted.
    private(set) var json: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--short" {
                isShort = true
                continue
            }
            guard let value = rest.popFirst() else { throw BenchmarkError("\(option): a value is missing") }
            switch option {
            case "--only": only = value
            case "--json": json = value
            default: throw BenchmarkError("\(option): unknown; there are --short, --only NAME and --json FILE")
            }
        }
    }

    func includes(_ benchmark: Benchmark) -> Bool {
        guard benchmark.isShort || !isShort else { return false }
        guard let only else { return true }
        return benchmark.name == only || benchmark.name.hasPrefix(only + "/")
    }
}

/// Why nothing could be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
