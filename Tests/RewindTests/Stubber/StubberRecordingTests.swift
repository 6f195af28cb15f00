import Foundation
import Rewind
import Testing

struct StubberRecordingTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test("Interactions are recorded in the order of their requests, not of the responses")
    func order() throws {
        let stubber = try studio.stubber(.once)
        let recordings = try ["a", "b", "c"].map {
            try stubber.begin(Interaction.Request(url: "https://h/\($0)"))
        }
        for position in [2, 0, 1] { recordings[position].finish("answer \(position)") }
        let report = try stubber.eject()
        #expect(report.recordedCount == 3)
        #expect(report.cassetteURL == studio.file)
        #expect(report.failedRecording == nil)
        #expect(
            try studio.cassette.interactions.map(\.request.url) == [
                "https://h/a", "https://h/b", "https://h/c",
            ]
        )
        #expect(try studio.texts == ["answer 0", "answer 1", "answer 2"])
    }

    @Test("A recording contains header fields, times and failures")
    func contents() throws {
        let stubber = try studio.stubber(.once)
        let request = Interaction.Request(
            method: "PUT",
            url: "https://h/a?b=1",
            headers: ["Accept": "a"],
            body: Interaction.Body("x")
        )
        let light = Interaction.Request(method: "PUT", url: "https://h/a?b=1", body: Interaction.Body("x"))
        let answer = stubber.answer(to: IncomingRequest(light) { request })
        guard case .forward(let recording?, _) = answer else {
            Issue.record("the request is not recorded")
            return
        }
        let failure = Interaction.Failure(code: NSURLErrorNetworkConnectionLost, message: "lost")
        let partial = Interaction.Response(status: 206, headers: ["A": "b"], body: Interaction.Body("half"))
        recording.finish(.failure(failure, after: partial), timing: .init(wait: 1.5, receive: 2.25))
        try stubber.eject()
        let interaction = try #require(try studio.cassette.interactions.first)
        #expect(interaction.request == request)
        #expect(interaction.outcome == .failure(failure, after: partial))
        #expect(interaction.timing == .init(wait: 1.5, receive: 2.25))
        #expect(interaction.startedAt == recording.startedAt.roundedToMilliseconds)
    }

    @Test("Only the first end of a recording counts")
    func firstEnd() throws {
        let ends = Locked(0)
        var configuration = Stubber.Configuration()
        configuration.didEndRecording = { _ in ends.withLock { $0 += 1 } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/"))
        recording.finish("first")
        recording.finish("second")
        try stubber.eject()
        #expect(try studio.texts == ["first"])
        stubber.settle()
        #expect(ends.withLock { $0 } == 1)
    }

    @Test("Callbacks report the begin and the end of each recording")
    func callbacks() throws {
        let events = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.didBeginRecording = { request in events.withLock { $0.append("begin \(request.url)") } }
        configuration.didEndRecording = { interaction in
            events.withLock { $0.append("end \(interaction.request.url) \(interaction.text)") }
        }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let first = try stubber.begin(Interaction.Request(url: "https://h/a"))
        try stubber.record("https://h/b", "2")
        first.finish("1")
        stubber.settle()
        #expect(
            events.withLock { $0 }
                == ["begin https://h/a", "begin https://h/b", "end https://h/b 2", "end https://h/a 1"]
        )
    }

    @Test("A request without a response is in flight, and pending work delays settling")
    func inFlight() async throws {
        let stubber = try studio.stubber(.once)
        #expect(stubber.isSettled)
        let pending = stubber.pendingWork.begin()
        #expect(!stubber.isSettled)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/a"))
        pending.end()
        pending.end()
        #expect(!stubber.isSettled)
        #expect(stubber.requestsInFlight.map(\.url) == ["https://h/a"])
        recording.finish("1")
        #expect(stubber.requestsInFlight == [])
        // The journal is written off the path of the response.
        for _ in 0..<1_000 where !stubber.isSettled { try await Task.sleep(nanoseconds: 10_000_000) }
        #expect(stubber.isSettled)
    }

    @Test("A response after the end is neither recorded nor reported")
    func late() throws {
        let ends = Locked(0)
        var configuration = Stubber.Configuration()
        configuration.didEndRecording = { _ in ends.withLock { $0 += 1 } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/a"))
        #expect(stubber.end(testFailed: false).report.requestsInFlight.map(\.url) == ["https://h/a"])
        recording.finish("late")
        #expect(studio.folder.files == [])
        #expect(ends.withLock { $0 } == 0)
    }

    @Test("Concurrent recordings are complete")
    func threads() throws {
        let stubber = try studio.stubber(.once)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<20 {
                #expect(throws: Never.self) { try stubber.record("https://h/\(thread)/\(number)", "\(thread)") }
            }
        }
        #expect(try stubber.eject().recordedCount == 160)
        #expect(Set(try studio.cassette.interactions.map(\.request.url)).count == 160)
    }
}
