import Foundation
import Rewind
import RewindTesting
import RewindXCTest
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// The doors of the two test frameworks.
    static let testing: [Scenario] = [
        Scenario(name: "test-case-records") { stage in try await stage.runTestCase(.once) },
        Scenario(name: "test-case-plays", prepare: { try await $0.recordForTests() }) { stage in
            try await stage.runTestCase(.none)
        },
        Scenario(name: "test-case-misses", prepare: { try await $0.record(["empty"]) }) { stage in
            try await stage.runTestCase(.none)
        },
        Scenario(name: "trait-records") { stage in try await stage.runTrait(.once) },
        Scenario(name: "trait-plays", prepare: { try await $0.recordForTests() }) { stage in
            try await stage.runTrait(.none)
        },
        Scenario(name: "trait-misses", prepare: { try await $0.record(["empty"]) }) { stage in
            try await stage.runTrait(.none)
        },
    ]
}

extension Stage {
    fileprivate func recordForTests() async throws {
        try await record(["json", "binary/100000"])
    }

    fileprivate func runTestCase(_ mode: RecordingMode) async throws {
        await MainActor.run {
            let observer = FailureObserver(self)
            XCTestObservationCenter.shared.addTestObserver(observer)
            let test = FaultCase(name: "testTalk") { test in
                guard let test = test as? FaultCase else { return }
                try test.ask("/json")
                try test.ask("/binary/100000")
            }
            test.stage = self
            test.mode = mode
            test.run()
            XCTestObservationCenter.shared.removeTestObserver(observer)
        }
    }

    fileprivate func runTrait(_ mode: RecordingMode) async throws {
        guard let test = Test.current else { throw AnswerFailure(text: "there is no test") }
        let trait: CassetteTrait = .cassette("talk", in: folder.url, mode: mode, configuration: configuration)
        let unnamed: CassetteTrait = .cassette(mode: mode, configuration: configuration)
        let testCase = Test.Case.current
        let watching = IssueHandlingTrait.compactMapIssues { [self] issue in
            tell("issue: \(issue)")
            return nil
        }
        // The folder of a cassette that has no place of its own is found, and nothing is played from it.
        try await watching.provideScope(for: test, testCase: testCase) {
            try await unnamed.provideScope(for: test, testCase: testCase) {}
            try await trait.provideScope(for: test, testCase: testCase) {
                try await get("/json")
                try await get("/binary/100000")
            }
        }
    }
}

/// A test whose conversation a stage has.
private final class FaultCase: CassetteTestCase, @unchecked Sendable {
    // Sound as @unchecked Sendable: both are set before it runs, on the thread that runs it.
    var stage: Stage?
    var mode = RecordingMode.none

    override var recordingMode: RecordingMode { mode }
    override var cassetteName: String { "talk" }
    override var cassetteDirectory: URL { stage?.folder.url ?? super.cassetteDirectory }
    override var configuration: Configuration { stage?.configuration ?? Configuration() }

    func ask(_ path: String) throws {
        guard let stage else { return }
        let expectation = expectation(description: path)
        let failure = Locked<(any Error)?>(nil)
        session.dataTask(with: stage.request(path)) { data, response, error in
            do {
                if let error { throw error }
                try stage.check(data, response)
            } catch {
                failure.withLock { $0 = error }
            }
            expectation.fulfill()
        }.resume()
        wait(for: [expectation], timeout: 45)
        if let error = failure.withLock({ $0 }) {
            stage.tell(error)
            throw error
        }
    }
}

/// Notes the failures of a test.
private final class FailureObserver: NSObject, XCTestObservation, @unchecked Sendable {
    // Sound as @unchecked Sendable: what it has is never changed.
    private let stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    func testCase(
        _ testCase: XCTestCase,
        didFailWithDescription description: String,
        inFile filePath: String?,
        atLine lineNumber: Int
    ) {
        stage.tell("failure: \(description)")
    }
}
