import Foundation
import Rewind
import RewindServer
import RewindTestSupport

/// What recording a great body adds to the peak of a process's memory, which does not fall: a process a sample.
enum MemoryBenchmarks {
    /// The first argument of a process that is a sample.
    static let childArgument = "--memory"

    private static let bodyBytes = 64 * 1024 * 1024

    #if os(Linux)
        static let all = [record]
    #else
        static let all: [Benchmark] = []
    #endif

    private enum Kind: String {
        case recorded
        case plain
    }

    /// The peak that recording one body adds before the cassette is written, over the body's size.
    private static let record = Benchmark("record/memory", .atMost(2)) {
        let body = Workload.bytes(bodyBytes)
        let server = HTTPServer { _, response in try response.respond(status: 200, body: body) }
        let address = try server.start()
        return Benchmark.Sides(
            numerator: {
                let (recorded, plain) = (try peak(.recorded, address), try peak(.plain, address))
                return Double(recorded - plain)
            },
            denominator: {
                withExtendedLifetime(server) { Double(bodyBytes) }
            }
        )
    }

    /// The peak of a process that loads the body, in bytes.
    private static func peak(_ kind: Kind, _ address: URL) throws -> Int {
        guard let program = Bundle.main.executableURL else { throw BenchmarkError("the program is nowhere") }
        let child = try ChildProcess(program, [childArgument, kind.rawValue, address.absoluteString])
        guard child.status == 0, let bytes = Int(child.output.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkError("a process that measures memory failed: \(child.output)") }
        return bytes
    }

    /// Loads the body as the arguments say, and prints the peak of this process.
    static func runChild(_ arguments: [String]) async throws {
        guard arguments.count == 2, let kind = Kind(rawValue: arguments[0]),
            let address = URL(string: arguments[1])
        else { throw BenchmarkError("\(childArgument): not for use by hand") }
        let session = StreamingSession()
        switch kind {
        case .plain: print(try await peak(loading: address, with: session))
        case .recorded:
            let scope = try CassetteScope(Tape().stubber(.all))
            print(try await scope.run { try await peak(loading: address, with: session) })
        }
    }

    private static func peak(loading address: URL, with session: StreamingSession) async throws -> Int {
        let count = try await session.load(address)
        guard count == bodyBytes else { throw BenchmarkError("\(count) bytes came") }
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count == 3, let kilobytes = Int(words[1]) else { throw BenchmarkError("no VmHWM") }
        return kilobytes * 1024
    }
}
