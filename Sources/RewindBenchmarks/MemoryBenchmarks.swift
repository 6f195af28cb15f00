import Foundation
import Rewind
import RewindServer
import RewindTestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum MemoryBenchmarks {
    #if os(Linux)
        static let all = [
            recording, replaying("replay/body-memory", .replayingPeak, .atMost(1.5)),
            replaying("replay/pieces-memory", .replayingInPiecesPeak, .atMost(0.2)),
        ]
    #else
        static let all: [Benchmark] = []
    #endif

    private static let recordedBytes = 64 * 1024 * 1024
    private static let replayedBytes = 100 * 1024 * 1024

    /// The peak memory that recording one body adds before the cassette is written, relative to the size of the body.
    private static let recording = Benchmark("record/memory", .atMost(2)) {
        let body = Workload.bytes(recordedBytes)
        let server = HTTPServer { _, response in try response.respond(status: 200, body: body) }
        let address = try server.start()
        return Benchmark.Sides(
            numerator: {
                try ChildSample.recordingPeak.number(address) - ChildSample.forwardingPeak.number(address)
            },
            denominator: { withExtendedLifetime(server) { Double(recordedBytes) } }
        )
    }

    /// The peak memory that replaying a body from a file adds, compared with a small body, relative to its size.
    private static func replaying(_ name: String, _ sample: ChildSample, _ bar: Bar) -> Benchmark {
        Benchmark(name, bar) {
            let great = try TemporaryCassette(bodyBytes: replayedBytes)
            let small = try TemporaryCassette(bodyBytes: 64 * 1024)
            return Benchmark.Sides(
                numerator: { try sample.number(great.file) - sample.number(small.file) },
                denominator: { Double(replayedBytes) }
            )
        }
    }

    // MARK: In a separate process

    /// The peak memory of this process after it recorded the body of a URL.
    static func record(_ address: URL) async throws -> Double {
        let scope = try CassetteScope(TemporaryCassette().stubber(.all))
        return try await scope.run { try await forward(address) }
    }

    /// The peak memory of this process after it loaded the body of a URL.
    static func forward(_ address: URL) async throws -> Double {
        let count = try await StreamingSession().load(address)
        guard count == recordedBytes else { throw BenchmarkError("received \(count) bytes") }
        return try ChildSample.peak
    }

    /// The peak memory of this process after it received the only body of a cassette, in chunks or as a whole.
    static func replay(_ file: URL, inPieces: Bool) async throws -> Double {
        guard let url = URL(string: Workload.url(0)) else { throw BenchmarkError("no URL") }
        let scope = try CassetteScope(TemporaryCassette.stubber(of: file, .never))
        return try await scope.run {
            // Reads every byte: a mapped body that is not read need not be in memory.
            let sum = ByteSum()
            if inPieces {
                _ = try await StreamingSession().load(url, onData: sum.add)
            } else {
                sum.add(try await URLSession.shared.data(from: url).0)
            }
            guard sum.count > 0 else { throw BenchmarkError("received no body") }
            return try ChildSample.peak
        }
    }
}

/// Reads every byte it receives, and stores none.
private final class ByteSum: Sendable {
    private let state = Locked((count: 0, sum: UInt64(0)))

    var count: Int { state.withLock { $0.count } }

    func add(_ data: Data) {
        let sum = data.withUnsafeBytes { bytes in bytes.reduce(UInt64(0)) { $0 &+ UInt64($1) } }
        state.withLock { $0 = ($0.count + data.count, $0.sum &+ sum) }
    }
}

/// A sample that needs a separate process: the time of a first call, or the peak memory, which never falls.
enum ChildSample: String {
    case readingSeconds, openingSeconds, openingPeak
    case recordingPeak, forwardingPeak
    case replayingPeak, replayingInPiecesPeak
    case cassetteTestSeconds, plainTestSeconds

    static let argument = "--sample"

    /// Runs a process that measures seconds or bytes for a file or a URL.
    func number(_ subject: URL) throws -> Double {
        guard let program = Bundle.main.executableURL else {
            throw BenchmarkError("cannot find this executable")
        }
        let child = try ChildProcess(program, [Self.argument, rawValue, subject.absoluteString])
        guard child.status == 0,
            let number = Double(child.output.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkError("the process of a sample failed: \(child.output)") }
        return number
    }

    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 2, let sample = ChildSample(rawValue: arguments[0]),
            let subject = URL(string: arguments[1])
        else { throw BenchmarkError("unexpected argument '\(argument)': for internal use") }
        print(try await sample.measured(subject))
    }

    private func measured(_ subject: URL) async throws -> Double {
        switch self {
        case .readingSeconds: try await Measurement.seconds { _ = try Data(contentsOf: subject) }
        case .openingSeconds:
            try await Measurement.seconds { _ = try TemporaryCassette.stubber(of: subject, .never) }
        case .openingPeak:
            try withExtendedLifetime(TemporaryCassette.stubber(of: subject, .never)) { try Self.peak }
        case .recordingPeak: try await MemoryBenchmarks.record(subject)
        case .forwardingPeak: try await MemoryBenchmarks.forward(subject)
        case .replayingPeak: try await MemoryBenchmarks.replay(subject, inPieces: false)
        case .replayingInPiecesPeak: try await MemoryBenchmarks.replay(subject, inPieces: true)
        case .cassetteTestSeconds: try await StartBenchmarks.seconds(ofTestsIn: subject, withCassettes: true)
        case .plainTestSeconds: try await StartBenchmarks.seconds(ofTestsIn: subject, withCassettes: false)
        }
    }

    static var peak: Double {
        get throws {
            let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
            let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
            guard words.count == 3, let kilobytes = Double(words[1]) else {
                throw BenchmarkError("no VmHWM in /proc/self/status")
            }
            return kilobytes * 1024
        }
    }
}
