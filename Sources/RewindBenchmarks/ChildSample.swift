import Foundation
import Rewind
import RewindTestSupport

/// A figure that only a process of its own can give: of what is done for the first time, or of the peak of memory, which
/// does not fall.
enum ChildSample: String {
    case readingSeconds, openingSeconds, openingPeak
    case recordingPeak, forwardingPeak
    case replayingPeak, replayingInPiecesPeak
    case cassetteTestSeconds, plainTestSeconds

    /// The first argument of a process that is a sample.
    static let argument = "--sample"

    /// Runs a process that gives the figure.
    /// - Parameter subject: The file or the address that the figure is about.
    /// - Returns: Seconds, or bytes.
    /// - Throws: ``BenchmarkError`` with what the process printed.
    func number(_ subject: URL) throws -> Double {
        guard let program = Bundle.main.executableURL else { throw BenchmarkError("the program is nowhere") }
        let child = try ChildProcess(program, [Self.argument, rawValue, subject.absoluteString])
        guard child.status == 0,
            let number = Double(child.output.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkError("a process that is a sample failed: \(child.output)") }
        return number
    }

    /// Prints the figure that the arguments of this process ask for.
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 2, let sample = ChildSample(rawValue: arguments[0]),
            let subject = URL(string: arguments[1])
        else { throw BenchmarkError("\(argument): not for use by hand") }
        print(try await sample.measured(subject))
    }

    private func measured(_ subject: URL) async throws -> Double {
        switch self {
        case .readingSeconds:
            try await Measurement.seconds { _ = try Data(contentsOf: subject) }
        case .openingSeconds:
            try await Measurement.seconds { _ = try Tape.stubber(of: subject, .none) }
        case .openingPeak:
            try withExtendedLifetime(Tape.stubber(of: subject, .none)) { try Self.peak }
        case .recordingPeak:
            try await MemoryBenchmarks.record(subject)
        case .forwardingPeak:
            try await MemoryBenchmarks.forward(subject)
        case .replayingPeak:
            try await MemoryBenchmarks.replay(subject, inPieces: false)
        case .replayingInPiecesPeak:
            try await MemoryBenchmarks.replay(subject, inPieces: true)
        case .cassetteTestSeconds:
            try await StartBenchmarks.seconds(ofTestsIn: subject, withCassettes: true)
        case .plainTestSeconds:
            try await StartBenchmarks.seconds(ofTestsIn: subject, withCassettes: false)
        }
    }

    /// The peak of this process's memory, in bytes.
    static var peak: Double {
        get throws {
            let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
            let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
            guard words.count == 3, let kilobytes = Double(words[1]) else { throw BenchmarkError("no VmHWM") }
            return kilobytes * 1024
        }
    }
}
