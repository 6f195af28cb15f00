import Foundation
import Rewind
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records until the process is killed. `Tests/Integration/kills.py` runs it and kills it.
///
/// Prints a line for each response that arrived, with the time of the monotonic clock in nanoseconds.
final class KilledFixtures: CassetteTestCase {
    private static let environment = ProcessInfo.processInfo.environment

    override func setUp() async throws {
        guard Self.environment["REWIND_KILL_SERVER"] != nil else {
            throw XCTSkip("run by Tests/Integration/kills.sh")
        }
    }

    override var cassetteDirectory: URL {
        Self.environment["REWIND_KILL_FOLDER"].map { URL(fileURLWithPath: $0) } ?? super.cassetteDirectory
    }

    override var cassetteName: String { "talk" }

    override var recordingMode: RecordingMode { .all }

    func testRecordingUntilKilled() async throws {
        let server = try XCTUnwrap(Self.environment["REWIND_KILL_SERVER"])
        // One path for each request, separated by spaces, for each of the clients that send requests at the same time.
        let clients = try XCTUnwrap(Self.environment["REWIND_KILL_PATHS"]).split(separator: "|")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for paths in clients {
                group.addTask {
                    for path in paths.split(separator: " ") {
                        let url = try XCTUnwrap(URL(string: server + path))
                        let (data, response) = try await URLSession.shared.data(from: url)
                        guard (response as? HTTPURLResponse)?.statusCode == 200 else { continue }
                        let time = DispatchTime.now().uptimeNanoseconds
                        let line = "ended \(path) \(data.count) \(time)\n"
                        FileHandle.standardOutput.write(Data(line.utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
        // The cassette must not be written before the process is killed.
        try await Task.sleep(for: .seconds(60))
    }
}
