import Foundation
@_exported import Rewind
@_exported import Testing

/// A trait that records the HTTP traffic of a test once and replays it on every later run.
///
/// ## Usage
/// ```swift
/// @Test(.cassette) func timeline() async throws { … }           // Cassettes/<Suite>/timeline.har
/// @Test(.cassette("login")) func session() async throws { … }   // Cassettes/<Suite>/login.har
/// @Test(.cassette, arguments: [1, 2]) func page(number: Int) async throws { … }
/// ```
///
/// ## Overview
/// Parallel tests in one process each use their own cassette, even through `URLSession.shared`. Each case of a
/// parameterized test has its own file, named after its arguments. A request without an answer is recorded as an issue
/// that explains the miss. If the test fails, its cassette is attached.
public struct CassetteTrait: TestTrait, TestScoping {
    fileprivate let settings: TraitSettings

    /// Returns this trait for a test case, and `nil` for the test as a whole.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? {
        testCase == nil ? nil : self
    }

    /// Runs a test, or one of its cases, with its cassette.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestScope(test, testCase, settings, as: "cassette").run(function)
    }
}

/// A trait that gives each test of a suite, and each of its cases, its own cassette or its own stubs.
///
/// ```swift
/// @Suite(.cassettes) struct UserTests { … }
/// @Suite(.cassettes(matching: [.method, .path], mode: .once)) struct APITests { … }
/// @Test(.stubs) func offline() async throws {
///     Stubber.current?.stub(.host("api.example.com"), respond: .failure(.notConnectedToInternet))
///     …
/// }
/// ```
///
/// A ``CassetteTrait`` on a test replaces the cassette that its suite would give it. If a test has a cassette and stubs, the
/// cassette answers first. With stubs alone, nothing reaches the network: a request without a stub fails and is an issue.
public struct StubberTrait: SuiteTrait, TestTrait, TestScoping {
    fileprivate let settings: TraitSettings

    /// `true`: the trait applies to each test of the suite and of its nested suites.
    public var isRecursive: Bool { true }

    /// Returns this trait for a test case if no other trait of the test or of an inner suite replaces it.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> StubberTrait? {
        guard testCase != nil else { return nil }
        let hasOwnCassette = settings.hasCassette && test.traits.contains { $0 is CassetteTrait }
        // Of several traits of a kind, the innermost one applies.
        let traits = test.traits.lazy.compactMap { $0 as? Self }
        let innermost = traits.last { $0.settings.hasCassette == settings.hasCassette }
        return hasOwnCassette || innermost?.settings.id != settings.id ? nil : self
    }

    /// Runs one case of a test with its stubber.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let trait = settings.hasCassette ? "cassettes" : "stubs"
        try await TestScope(test, testCase, settings, as: trait).run(function)
    }
}

extension Trait where Self == CassetteTrait {
    /// Gives the test a cassette that is named after the test.
    public static var cassette: Self { CassetteTrait(settings: TraitSettings()) }

    /// Gives the test a cassette.
    /// - Parameters:
    ///   - name: The name of the cassette, without a file extension; the name of the test and its arguments by default.
    ///   - directory: The folder of the cassettes; `Cassettes/<Suite>` at the root of the test's project by default.
    ///   - matching: The parts of a request that must be equal; overrides those of the configuration.
    ///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: How requests are matched, played, redacted and reported.
    /// - Returns: The trait.
    public static func cassette(
        _ name: String? = nil,
        in directory: URL? = nil,
        matching: [RequestMatcher]? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration()
    ) -> Self {
        CassetteTrait(
            settings: TraitSettings(configuration, name, in: directory, mode: mode, matching: matching)
        )
    }
}

extension Trait where Self == StubberTrait {
    /// Gives every test of the suite a cassette that is named after the test.
    public static var cassettes: Self { StubberTrait(settings: TraitSettings()) }

    /// Gives every test of the suite a cassette that is named after the test.
    /// - Parameters:
    ///   - directory: The folder of the cassettes; `Cassettes/<Suite>` at the root of the test's project by default.
    ///   - matching: The parts of a request that must be equal; overrides those of the configuration.
    ///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: How requests are matched, played, redacted and reported.
    /// - Returns: The trait.
    public static func cassettes(
        in directory: URL? = nil,
        matching: [RequestMatcher]? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration()
    ) -> Self {
        StubberTrait(settings: TraitSettings(configuration, in: directory, mode: mode, matching: matching))
    }

    /// Gives the test a stubber without a cassette.
    public static var stubs: Self { stubs(configuration: Stubber.Configuration()) }

    /// Gives the test a stubber without a cassette.
    /// - Parameter configuration: Which requests may use the network, and how misses are reported.
    /// - Returns: The trait.
    public static func stubs(configuration: Stubber.Configuration) -> Self {
        StubberTrait(settings: TraitSettings(configuration, hasCassette: false))
    }
}

/// The settings of all traits of this library.
struct TraitSettings: Sendable {
    /// Identifies the trait.
    fileprivate let id = UUID()
    /// Whether there is a cassette, or only stubs.
    let hasCassette: Bool
    let name: String?
    let directory: URL?
    let mode: RecordingMode
    let configuration: Stubber.Configuration

    init(
        _ configuration: Stubber.Configuration = Stubber.Configuration(),
        _ name: String? = nil,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        matching: [RequestMatcher]? = nil,
        hasCassette: Bool = true
    ) {
        var configuration = configuration
        if let matching { configuration.matching = matching }
        self.configuration = configuration
        self.name = name
        self.directory = directory
        self.mode = mode
        self.hasCassette = hasCassette
        // A test without a cassette may use the network, and only Swift Testing knows which test runs. Traits are created
        // before the first test runs.
        RunningTest.setLookup(isKnown: { Test.current != nil }) {
            Test.current.map { RunnableTest($0, Test.Case.current) }
        }
    }
}
