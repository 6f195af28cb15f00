import Foundation

/// The command: runs the benchmarks, prints their figures, and says with its status whether they hold.
@main
enum BenchmarkTool {
    private static let benchmarks: [Benchmark] =
        RecordBenchmarks.all + MemoryBenchmarks.all + ReplayBenchmarks.all + LookupBenchmarks.all
        + LoadBenchmarks.all + SaveBenchmarks.all + StartBenchmarks.all + StubBenchmarks.all
        + ServerBenchmarks.all

    /// Exits with 0 when every bar is held, with 1 when one is not, and with 2 when nothing could be measured.
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
            throw BenchmarkError("no benchmark of that name; there are \(names)")
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
        let held = figures.count { $0.holds }
        print(
            "\(held) of \(figures.count) held; medians of \(Figure.rounds), margin \(Int(Bar.margin * 100)) %"
        )
        return held == figures.count ? 0 : 1
    }
}

struct BenchmarkOptions {
    /// The name, or the beginning of the names, of what is to be run; all where there is none.
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

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
