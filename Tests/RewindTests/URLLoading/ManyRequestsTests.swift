import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many requests on many threads each receive their own answer.
final class ManyRequestsTests: XCTestCase {
    func testEightThreadsReplayThousandsOfRequests() throws {
        let (threads, each) = (8, Nightly.size(3000))
        let folder = try TemporaryDirectory()
        let interactions = (0..<threads * each).map {
            Interaction(
                request: Interaction.Request(url: "http://load.invalid/\($0)"),
                outcome: .response(Interaction.Response(body: Interaction.Body("\($0)")))
            )
        }
        try HARFormat.write(Cassette(interactions: interactions)).write(to: folder["talk.har"])
        let wrong = Locked(0)
        try withCassette("talk", in: folder.url, mode: .never) { _ in
            let group = DispatchGroup()
            for thread in 0..<threads {
                group.enter()
                // Those of a queue are few, and needed to answer.
                Thread.detachNewThread {
                    for number in thread * each..<(thread + 1) * each {
                        let answer = Self.load("http://load.invalid/\(number)")
                        if answer != "\(number)" { wrong.withLock { $0 += 1 } }
                    }
                    group.leave()
                }
            }
            XCTAssertEqual(group.wait(timeout: .now() + 240), .success)
        }
        XCTAssertEqual(wrong.withLock { $0 }, 0)
    }

    func test500ParallelRequestsAreRecordedAndReplayed() async throws {
        let result = try await RecordAndReplay { servers in
            await withTaskGroup(of: (Int, Outcome).self) { group in
                for number in 0..<500 {
                    let url = servers[0]["echo?n=\(number)"]
                    group.addTask { (number, await Outcome(of: url)) }
                }
                return await group.reduce(into: 0) { count, answer in
                    if answer.1.headers["X-Query"] == "n=\(answer.0)" { count += 1 }
                }
            }
        }
        XCTAssertEqual([result.live, result.replayed], [500, 500])
        XCTAssertEqual(result.cassette.interactions.count, 500)
    }

    private static func load(_ address: String) -> String? {
        guard let url = URL(string: address) else { return nil }
        let text = Locked<String?>(nil)
        let done = DispatchSemaphore(value: 0)
        URLSession.shared.dataTask(with: url) { data, _, _ in
            text.withLock { $0 = data.map { String(decoding: $0, as: UTF8.self) } }
            done.signal()
        }.resume()
        done.wait()
        return text.withLock { $0 }
    }
}
