import Foundation
import RewindTestSupport
import RewindTesting
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What `faults.py` runs: the server in one process, and in others the scenarios that it names, with a point armed in each.
@Suite(.serialized)
struct FaultRuns {
    private static let variables = ProcessInfo.processInfo.environment

    @Test(.enabled(if: variables["REWIND_FAULT_SERVER"] != nil, "run by faults.py"))
    func server() throws {
        let server = try ConversationServer()
        try Data(server.url.absoluteString.utf8).write(
            to: URL(fileURLWithPath: Self.variables["REWIND_FAULT_SERVER"] ?? "")
        )
        // It is served until who started it goes.
        _ = try FileHandle.standardInput.readToEnd()
    }

    @Test(.enabled(if: variables["REWIND_FAULT_RUNS"] != nil, "run by faults.py"))
    func runs() async throws {
        let path = try #require(Self.variables["REWIND_FAULT_RUNS"])
        let upstream = try #require(Self.variables["REWIND_FAULT_UPSTREAM"].flatMap { URL(string: $0) })
        let results = try Results(path + ".results")
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let wanted = Scenario.all.filter { words[0] == "*" || $0.name == words[0] }
            for scenario in wanted {
                // What a fault has left behind would be laid at the door of the next one.
                guard try await Run(scenario, words, upstream, results).perform() else { return }
            }
        }
    }
}

/// One scenario with one point armed, or with none.
private struct Run {
    let scenario: Scenario
    let point: String?
    let number: Int
    let upstream: URL
    let results: Results

    init(_ scenario: Scenario, _ words: [String], _ upstream: URL, _ results: Results) {
        self.scenario = scenario
        point = words.count > 2 ? words[1] : nil
        number = words.count > 2 ? Int(words[2]) ?? 1 : 1
        self.upstream = upstream
        self.results = results
    }

    /// Tells the scenario; returns whether all is as it was before.
    func perform() async throws -> Bool {
        let stage = try Stage(upstream)
        try results.add(["begins": scenario.name, "point": point ?? "", "number": number])
        let start = ContinuousClock.now
        try await scenario.prepare(stage)
        let before = stage.archives
        stage.forget()
        results.output.begin()
        FaultPoint.begin(arming: point, at: number)
        do {
            try await scenario.act(stage)
        } catch {
            stage.tell(error)
        }
        let (hasThrown, counts) = FaultPoint.end()
        var result: [String: Any] = [
            "ends": scenario.name, "hasThrown": hasThrown, "story": stage.story, "output": results.output.end(),
        ]
        result["before"] = before
        result["between"] = stage.formerArchives
        if point == nil { result["counts"] = counts }
        result["after"] = stage.archives
        let undone = await undone()
        result["undone"] = undone
        result["seconds"] = (ContinuousClock.now - start) / .seconds(1)
        try results.add(result)
        return undone.isEmpty
    }

    /// What is not as it was before: that sessions are intercepted, or that another test does not record and play.
    private func undone() async -> String {
        // What ends on another queue may take a moment.
        for _ in 0..<2000 where Interception.shared.isInstalled { try? await Task.sleep(for: .milliseconds(1)) }
        guard !Interception.shared.isInstalled else { return "sessions are still intercepted" }
        do {
            let next = try Stage(upstream)
            for mode in [RecordingMode.once, .none] {
                try await withCassette("next", in: next.folder.url, mode: mode) { _ in
                    try await next.get("/json")
                }
            }
            return next.story.allSatisfy { $0.hasPrefix("200 ") } ? "" : "the next test sees \(next.story)"
        } catch {
            return "the next test fails: \(error)"
        }
    }
}

/// The results of this process, a line of JSON each, of which a crash loses none.
private final class Results: Sendable {
    let output: Output
    private let handle: FileHandle

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        handle = try #require(FileHandle(forWritingAtPath: path))
        output = Output(path + ".output")
    }

    func add(_ result: [String: Any]) throws {
        let line = try JSONSerialization.data(withJSONObject: result)
        try handle.write(contentsOf: line + Data("\n".utf8))
    }
}

/// What the process prints, kept in a file from one point in time to another.
private struct Output {
    private let path: String
    private let saved = dup(STDERR_FILENO)

    init(_ path: String) { self.path = path }

    func begin() {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    func end() -> String {
        dup2(saved, STDERR_FILENO)
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
