@_exported import Rewind
import Foundation
@_exported import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test case that records the HTTP traffic of each test once and replays it on every later run.
///
/// ## Overview
/// The first run of a test has no cassette, so its requests go to the network and are recorded to
/// `Cassettes/<TestClass>/<testMethod>.har`. On every later run, the cassette answers them and no network is used. This
/// applies to every `URLSession` in the process.
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
/// - The cassette is active from before `setUp` until after `tearDown`. The end of the test waits for requests in flight.
/// - A request that a task of a finished test makes fails with a miss that names that test.
/// - If the cassette cannot be read, the test fails without running.
open class CassetteTestCase: XCTestCase {
    /// A line of a source file.
    private typealias Place = (file: String, line: Int)

    /// The scope of the running test. Locked because XCTest records failures of async tests on other threads.
    private let serving = Locked<(scope: CassetteScope, misses: MissReports)?>(nil)
    /// The line of the test, looked up once; the inner optional is `nil` if it was not found.
    private let testLine = Locked<Place??>(nil)
    #if !canImport(ObjectiveC)
        // On Linux, XCTest counts failures without a lock.
        private let failures = NSRecursiveLock()
    #endif

    // MARK: Overridable properties

    /// Whether this run records. By default, ``recordingMode`` and the existence of the cassette determine it.
    ///
    /// Override it and return `true` to re-record the test, or `false` to play its cassette without recording.
    /// `REWIND_MODE` overrides both.
    open var isRecording: Bool { recordingMode.records(cassetteExists: cassetteExists) }

    /// The recording mode: `once` by default, or `never` if `CI` is set. `REWIND_MODE`
    /// overrides it.
    open var recordingMode: RecordingMode { .default }

    /// The name of the cassette, without a file extension: the name of the test method by default.
    open var cassetteName: String { TestName(name).method }

    /// The folder of the cassettes: `Cassettes/<TestClass>` at the root of the project by default.
    ///
    /// The project is the one that Xcode built the test bundle from, or else the one that contains the working directory or
    /// the bundle. If there is none, as on a device, cassettes are played from the folder `Cassettes` of the bundle; if that
    /// is missing too, the test fails. To use another folder, override the property, for example with
    /// `CassetteDirectory.beside(#filePath)`.
    open var cassetteDirectory: URL {
        // Without a folder, the test fails when it starts and needs the cassette's location.
        let cassettes = (try? search.cassettes().directory) ?? CassetteDirectory.missing
        return cassettes.appendingPathComponent(group.name, isDirectory: true)
    }

    /// The configuration of the test's stubber: matching, playback, redaction and reports.
    open var cassetteConfiguration: Stubber.Configuration { Stubber.Configuration() }

    /// Called on the main thread for each request that neither a stub nor the cassette answers.
    ///
    /// By default it fails the test with the description of the miss. If ``cassetteConfiguration`` has a
    /// `requestMatchingFailed` closure, that is called instead.
    /// - Parameter miss: The request, and why nothing answers it.
    open func requestMatchingFailed(_ miss: Miss) {
        if let callback = cassetteConfiguration.requestMatchingFailed { return callback(miss) }
        fail(miss.description)
    }

    // MARK: The stubber

    /// The stubber of the running test. Outside of a running test, a stubber that refuses every request.
    public var stubber: Stubber { serving.withLock { $0 }?.scope.stubber ?? .ended(testName: name) }

    // MARK: Running a test

    /// Runs the test with its cassette and writes the cassette if the run recorded.
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
        if testRun?.hasBeenSkipped ?? false { scope.stubber.noteSkip() }
        let problems = scope.end(testFailed: (testRun?.totalFailureCount ?? 0) > 0) {
            Note.print(scope.stubber.text(of: $0))
        }
        misses.end()
        serving.withLock { $0 = nil }
        for problem in problems {
            let location = TestEnd.sourceLocation(of: problem)
            fail(scope.stubber.text(of: problem), at: location.map { ($0.filePath, Int($0.line)) })
        }
    }

    #if canImport(ObjectiveC)
        /// Records a failure. If an earlier failure has the description of the same miss, a short reminder replaces it. A
        /// sweep receives the failures of its variations.
        open override func record(_ issue: XCTIssue) {
            let line = issue.sourceCodeContext.location.map {
                "\($0.fileURL.lastPathComponent):\($0.lineNumber): "
            }
            if stubber.takeFailure((line ?? "") + issue.compactDescription) { return }
            var issue = issue
            issue.compactDescription = shortened(issue.compactDescription, isThrown: issue.type == .thrownError)
            super.record(issue)
        }
    #else
        /// Records a failure. If an earlier failure has the description of the same miss, a short reminder replaces it. A
        /// sweep receives the failures of its variations.
        open override func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            let file = URL(fileURLWithPath: filePath).lastPathComponent
            if stubber.takeFailure("\(file):\(lineNumber): \(description)") { return }
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
        // A request may fail the test shortly before its miss is reported.
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
            identity: identity
        )
    }

    private var location: CassetteLocation {
        get throws {
            let (directory, search) = (cassetteDirectory, search)
            if CassetteDirectory.isMissing(directory) { _ = try search.cassettes() }
            let method = TestName(name).method
            return try group.location(
                of: cassetteName,
                recordedBy: method,
                isChosen: cassetteName != method,
                in: directory,
                search
            )
        }
    }

    private var cassetteExists: Bool { (try? location.exists) ?? false }
    private var search: CassetteSearch { CassetteSearch(bundle: Bundle(for: type(of: self))) }

    private var identity: TestIdentity {
        TestIdentity(.testCase, name: TestName(name).description, test: TestName(name).test(in: type(of: self)))
    }

    private var group: TestGroup {
        let type = String(reflecting: type(of: self))
        let module = type.prefix { $0 != "." }
        return TestGroup(
            "\(Swift.type(of: self))",
            module: String(module),
            path: String(type.dropFirst(module.count + 1))
        )
    }

    /// Records a failure at the line of the test, not at a line of Rewind. May be called on any thread.
    private func fail(_ message: String, at line: Place? = nil) {
        let place = line ?? lineOfTest
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

    /// The line of the test in the sources of the project.
    private var lineOfTest: Place? {
        testLine.withLock { place in
            if let place { return place }
            let (test, group) = (TestName(name), group)
            let found = search.projectRoot.flatMap {
                TestSources($0, products: search.testBundle)
                    .place(of: test.method, in: group.path, module: group.module)
            }
            place = .some(found)
            return found
        }
    }
}

extension Stubber {
    /// Creates an expectation that is fulfilled when requests satisfy a condition. Earlier requests of the test count too.
    ///
    /// ```swift
    /// let refreshed = stubber.expectation(forRequests: .get("https://api.example.com/users"))
    /// viewModel.refresh()
    /// wait(for: [refreshed], timeout: 5)
    /// ```
    /// - Parameters:
    ///   - condition: The condition that the requests must satisfy.
    ///   - count: The number of expected requests; 1 by default. More requests are not a failure.
    /// - Returns: The expectation. It is fulfilled when the requests are made, before their responses.
    public func expectation(forRequests condition: RequestCondition, count: Int = 1) -> XCTestExpectation {
        let expectation = expectation("request", condition, count)
        watchRequests(condition) { _ in expectation.fulfill() }
        return expectation
    }

    /// Creates an expectation that is fulfilled when the app has received the answers to requests that satisfy a
    /// condition. Earlier answers of the test count too.
    ///
    /// ```swift
    /// let refreshed = stubber.expectation(forAnswers: .get("https://api.example.com/users"))
    /// viewModel.refresh()
    /// wait(for: [refreshed], timeout: 5)
    /// ```
    /// - Parameters:
    ///   - condition: The condition that the requests must satisfy.
    ///   - count: The number of expected answers; 1 by default. More answers are not a failure.
    /// - Returns: The expectation. An error fulfills it too; the cancellation of a request does not.
    public func expectation(forAnswers condition: RequestCondition, count: Int = 1) -> XCTestExpectation {
        let expectation = expectation("answer to", condition, count)
        watchAnswers(condition) { _ in expectation.fulfill() }
        return expectation
    }

    private func expectation(_ event: String, _ condition: RequestCondition, _ count: Int)
        -> XCTestExpectation
    {
        let times = count == 1 ? "" : " \(count) times"
        let expectation = XCTestExpectation(description: "\(event) \(condition)\(times)")
        expectation.expectedFulfillmentCount = count
        expectation.assertForOverFulfill = false
        return expectation
    }
}
