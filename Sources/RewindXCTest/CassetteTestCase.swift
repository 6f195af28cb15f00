@_exported import Rewind
import Foundation
@_exported import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test case each of whose tests records its HTTP conversation once, and replays it ever after.
///
/// ## Overview
/// The first run of a test has no cassette, so the conversation goes to the network and is recorded to
/// `Cassettes/<TestClass>/<testMethod>.har`. From then on it is replayed, and the network is never touched. Every
/// `URLSession` of the process takes part.
///
/// ## Usage
/// ```swift
/// import RewindXCTest
///
/// final class TimelineTests: CassetteTestCase {
///     func testTimeline() async throws {
///         let posts = try await APIClient().timeline()
///         XCTAssertEqual(posts.count, 20)
///     }
/// }
/// ```
///
/// ## Caveats
/// - The stubber serves from before `setUp` until after `tearDown`; recordings still in flight are waited for.
/// - A request that a task of a finished test makes is refused with the name of that test.
/// - When the cassette cannot be read, the test fails and is not run.
open class CassetteTestCase: XCTestCase {
    /// A line of a source.
    private typealias Place = (file: String, line: Int)

    /// What serves the running test. Failures of asynchronous tests are recorded on other threads, which look at it.
    private let serving = Locked<(scope: CassetteScope, misses: MissReports)?>(nil)
    /// Where the source of the test was found, if it was looked for.
    private let ownPlace = Locked<Place??>(nil)
    #if !canImport(ObjectiveC)
        // XCTest counts failures without a lock there.
        private let failures = NSRecursiveLock()
    #endif

    // MARK: To be overridden

    /// Whether this run records: by default as ``recordingMode`` and the existence of the cassette have it.
    ///
    /// Override it with `true` to re-record a test, with `false` to forbid it. `REWIND_MODE` overrides both.
    open var isRecording: Bool { recordingMode.records(cassetteExists: cassetteExists) }

    /// The recording mode: `once` by default, or `none` where `CI` is set. `REWIND_MODE` overrides it.
    open var recordingMode: RecordingMode { .default }

    /// The name of the cassette: the test method by default.
    open var cassetteName: String { TestName(name).method }

    /// The folder of the cassettes: `Cassettes/<TestClass>` at the root of the project by default.
    ///
    /// The project is the one that Xcode built the test bundle from, or else the one around the working directory or the
    /// bundle. Where there is none, as on a device, cassettes are played from the folder `Cassettes` of the bundle; without
    /// one the test fails. To keep the cassettes elsewhere, override it: `CassetteDirectory.beside(#filePath)`.
    open var cassetteDirectory: URL {
        // A test without a folder fails at its start, where its location is asked for.
        let cassettes = (try? search.cassettes().directory) ?? CassetteDirectory.missing
        return cassettes.appendingPathComponent(group.name, isDirectory: true)
    }

    /// How requests are matched, played, redacted and reported.
    open var cassetteConfiguration: Stubber.Configuration { Stubber.Configuration() }

    /// Called on the main thread for each request that nothing answers.
    ///
    /// Calls `configuration.requestMatchingFailed` where it is set; otherwise fails the test with the diagnosis.
    /// - Parameter miss: The request and the diagnosis of why nothing answers it.
    open func requestMatchingFailed(_ miss: Miss) {
        if let callback = cassetteConfiguration.requestMatchingFailed { return callback(miss) }
        fail(miss.description)
    }

    // MARK: To be used

    /// The stubber of the running test; outside of one, a stubber that refuses everything.
    public var stubber: Stubber { serving.withLock { $0 }?.scope.stubber ?? .over(testName: name) }

    // MARK: Running a test

    /// Runs the test while its stubber serves, and saves what was recorded.
    open override func invokeTest() {
        let misses = MissReports(test: self)
        let scope: CassetteScope
        do {
            scope = try CassetteScope(makeStubber(misses))
        } catch {
            return fail("\(error)")
        }
        serving.withLock { $0 = (scope, misses) }
        scope.run { super.invokeTest() }
        scope.settleRunningLoop()
        misses.deliver()
        let problems = scope.end(testFailed: (testRun?.totalFailureCount ?? 0) > 0)
        misses.end()
        serving.withLock { $0 = nil }
        for problem in problems {
            let location =
                (problem as? StubError)?.sourceLocation ?? (problem as? Stubber.ScopeError)?.sourceLocation
            fail("\(problem)", at: location.map { ($0.filePath, Int($0.line)) })
        }
    }

    #if canImport(ObjectiveC)
        /// Records a failure, and describes a miss only once.
        open override func record(_ issue: XCTIssue) {
            var issue = issue
            issue.compactDescription = shortened(issue.compactDescription, isThrown: issue.type == .thrownError)
            super.record(issue)
        }
    #else
        /// Records a failure, and describes a miss only once.
        open override func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            let description = shortened(description, isThrown: !expected)
            failures.lock()
            defer { failures.unlock() }
            super.recordFailure(
                withDescription: description,
                inFile: filePath,
                atLine: lineNumber,
                expected: expected
            )
        }
    #endif

    private func shortened(_ text: String, isThrown: Bool) -> String {
        guard let serving = serving.withLock({ $0 }) else { return text }
        // A request may fail, and the test with it, a moment before its miss is reported.
        if isThrown || MissReports.mayDescribeMiss(text) { serving.scope.settleNotices() }
        return serving.misses.shortened(text)
    }

    private func makeStubber(_ misses: MissReports) throws -> Stubber {
        var configuration = cassetteConfiguration
        configuration.requestMatchingFailed = { misses.add($0) }
        let byDefault = recordingMode.records(cassetteExists: cassetteExists)
        let mode = isRecording == byDefault ? recordingMode : isRecording ? .all : .never
        return try Stubber(
            at: location,
            mode: mode,
            configuration: configuration,
            testName: TestName(name).description
        )
    }

    private var location: CassetteLocation {
        get throws {
            let (directory, search) = (cassetteDirectory, search)
            if CassetteDirectory.isMissing(directory) { _ = try search.cassettes() }
            return try group.location(of: cassetteName, in: directory, search)
        }
    }

    private var cassetteExists: Bool { (try? location.exists) ?? false }
    private var search: CassetteSearch { CassetteSearch(bundle: Bundle(for: type(of: self))) }

    private var group: TestGroup {
        let module = String(reflecting: type(of: self)).prefix { $0 != "." }
        return TestGroup("\(type(of: self))", module: String(module))
    }

    /// Records a failure at the test, and not where this library noticed it; on any thread.
    private func fail(_ message: String, at place: Place? = nil) {
        let place = place ?? placeOfTest
        #if canImport(ObjectiveC)
            let location = place.map { XCTSourceCodeLocation(filePath: $0.file, lineNumber: $0.line) }
            record(
                XCTIssue(
                    type: .assertionFailure,
                    compactDescription: message,
                    sourceCodeContext: XCTSourceCodeContext(location: location)
                )
            )
        #else
            recordFailure(
                withDescription: "failed - \(message)",
                inFile: place?.file ?? "\(TestName(name))",
                atLine: place?.line ?? 0,
                expected: true
            )
        #endif
    }

    /// The line of the test among the sources of the project.
    private var placeOfTest: Place? {
        ownPlace.withLock { place in
            if let place { return place }
            let (test, group) = (TestName(name), group)
            let found = search.projectRoot.flatMap {
                TestSources($0).place(of: test.method, in: group.name, module: group.module)
            }
            place = .some(found)
            return found
        }
    }
}

extension Stubber {
    /// Creates an expectation that requests satisfy a condition. Requests that were made before the call count too.
    ///
    /// ```swift
    /// let refreshed = stubber.expectation(forRequests: .get("https://api.example.com/users"))
    /// viewModel.refresh()
    /// wait(for: [refreshed], timeout: 5)
    /// ```
    /// - Parameters:
    ///   - condition: The condition that the requests must satisfy.
    ///   - count: The number of expected requests; 1 by default. More requests are not a failure.
    /// - Returns: The expectation. It is fulfilled when the requests are made, whatever their response.
    public func expectation(forRequests condition: RequestCondition, count: Int = 1) -> XCTestExpectation {
        let times = count == 1 ? "" : " \(count) times"
        let expectation = XCTestExpectation(description: "request \(condition)\(times)")
        expectation.expectedFulfillmentCount = count
        expectation.assertForOverFulfill = false
        watchRequests(condition) { _ in expectation.fulfill() }
        return expectation
    }
}
