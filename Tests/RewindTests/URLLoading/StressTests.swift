import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels, suspends, resumes or times out hundreds of tasks at any moment: in no mode is there a miss, a crash, or a task
/// that never ends.
final class StressTests: XCTestCase {
    private static let rounds = Nightly.size(1000)
    private static let modes: [RecordingMode] = [.all, .never, .once, .newEpisodes, .verify, .live]

    func testTasksCancelledAtOnceFailAsCancelledInEveryMode() async throws {
        let results = try await inEveryMode("hang") { request, _ in
            await Self.ending(of: request) { task in task.cancel() }
        }
        for (mode, endings) in results {
            XCTAssertEqual(endings, ["\(NSURLErrorCancelled)": Self.rounds], mode.rawValue)
        }
    }

    func testTasksCancelledAtAnyMomentEndOnce() async throws {
        let results = try await inEveryMode("pause") { request, round in
            await Self.ending(of: request) { task in
                try? await Task.sleep(nanoseconds: UInt64(round % 40) * 100_000)
                task.cancel()
            }
        }
        for (mode, endings) in results {
            XCTAssertEqual(endings.values.reduce(0, +), Self.rounds, mode.rawValue)
            XCTAssertTrue(
                Set(endings.keys).isSubset(of: ["200", "\(NSURLErrorCancelled)"]),
                "\(mode) \(endings)"
            )
        }
    }

    func testTasksSuspendedAndResumedAtAnyMomentReceiveTheirAnswer() async throws {
        let results = try await inEveryMode("pause", except: .live) { request, round in
            await Self.ending(of: request) { task in
                for step in 0..<3 {
                    task.suspend()
                    if (round + step) % 3 > 0 {
                        try? await Task.sleep(nanoseconds: UInt64((round + step) % 10) * 100_000)
                    }
                    task.resume()
                }
            }
        }
        for (mode, endings) in results { XCTAssertEqual(endings, ["200": Self.rounds], mode.rawValue) }
    }

    func testTasksThatTimeOutAsTheirAnswerArrivesEndOnce() async throws {
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        let results = try await inEveryMode("late", configuration) { request, _ in
            var request = request
            request.timeoutInterval = 1
            return await Self.ending(of: request)
        }
        for (mode, endings) in results {
            XCTAssertEqual(endings.values.reduce(0, +), Self.rounds, mode.rawValue)
            XCTAssertTrue(
                Set(endings.keys).isSubset(of: ["200", "\(NSURLErrorTimedOut)"]),
                "\(mode) \(endings)"
            )
        }
    }

    // MARK: -

    /// Runs many tasks in each mode; the first mode records what the others play.
    /// - Returns: The number of tasks by outcome, for each mode.
    private func inEveryMode(
        _ path: String,
        except left: RecordingMode? = Optional.none,
        _ configuration: Stubber.Configuration = Stubber.Configuration(),
        _ body: @escaping @Sendable (URLRequest, Int) async -> String
    ) async throws -> [(RecordingMode, [String: Int])] {
        let folder = try TemporaryDirectory()
        let server = try RawServer { request in
            switch request.path.split(separator: "?").first {
            case "/pause": [.pause(2), .send(Self.answer)]
            case "/late": [.pause(985 + (Int(request.path.suffix(2)) ?? 0) % 30), .send(Self.answer)]
            default: [.hang]
            }
        }
        defer { server.stop() }
        let misses = Locked<[String]>([])
        var configuration = configuration
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append("\(miss)") } }
        configuration.drift = .ignore
        var results: [(RecordingMode, [String: Int])] = []
        for mode in Self.modes where mode != left {
            let endings = try await withCassette(
                "talk",
                in: folder.url,
                mode: mode,
                configuration: configuration
            ) {
                _ in
                await withTaskGroup(of: String.self) { group in
                    var endings: [String: Int] = [:]
                    for round in 0..<Self.rounds {
                        if path != "late", round >= 32, let ending = await group.next() {
                            endings[ending, default: 0] += 1
                        }
                        let request = URLRequest(url: server["\(path)?n=\(round)"])
                        group.addTask { await body(request, round) }
                    }
                    return await group.reduce(into: endings) { $0[$1, default: 0] += 1 }
                }
            }
            results.append((mode, endings))
        }
        XCTAssertEqual(misses.withLock { $0 }, [])
        return results
    }

    private static let session = URLSession(configuration: .ephemeral)
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Starts a task, applies an action to it, and waits for its end.
    /// - Returns: The status, or the code of the error.
    private static func ending(
        of request: URLRequest,
        _ act: @escaping @Sendable (URLSessionTask) async -> Void = { _ in }
    ) async -> String {
        let ends = Locked(0)
        let ending = Locked<String?>(nil)
        let task = session.dataTask(with: request) { _, response, error in
            ends.withLock { $0 += 1 }
            let status = (response as? HTTPURLResponse)?.statusCode
            ending.withLock { $0 = status.map { "\($0)" } ?? "\((error as NSError?)?.code ?? 0)" }
        }
        task.resume()
        await act(task)
        for _ in 0..<10_000 where ending.withLock({ $0 == nil }) {
            try? await Task.sleep(nanoseconds: 2_000_000)
        }
        return ends.withLock { $0 } == 1
            ? ending.withLock { $0 } ?? "none" : "ended \(ends.withLock { $0 }) times"
    }
}
