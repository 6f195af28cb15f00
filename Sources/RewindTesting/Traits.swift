import Foundation
@_exported import Rewind
@_exported import Testing

/// A trait that gives a test its own cassette: recorded at the first run, replayed ever after.
///
/// ## Usage
/// ```swift
/// @Test(.cassette) func timeline() async throws { … }           // Cassettes/<Suite>/timeline.har
/// @Test(.cassette("login")) func session() async throws { … }   // Cassettes/<Suite>/login.har
/// @Test(.cassette, arguments: [1, 2]) func page(number: Int) async throws { … }
/// ```
///
/// ## Overview
/// Parallel tests in one process each have their own cassette, also through `URLSession.shared`. Each case of a
/// parameterised test has a file of its own, named for its arguments. A request that nothing answers is an issue at the
/// test, with its diagnosis; the cassette is attached to a test that fails.
public struct CassetteTrait: TestTrait, TestScoping {
    fileprivate let settings: TraitSettings

    /// Opens a scope for each case, and none around all of them.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? {
        testCase == nil ? nil : self
    }

    /// Runs a test, or one of its cases, while its cassette serves.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestScope(test, testCase, settings).run(function)
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

    /// Applies to the tests of the suite and of its nested suites, not to the suite as a whole.
    public var isRecursive: Bool { true }

    /// Opens a scope for each case, and none around a suite or a whole test.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> StubberTrait? {
        guard testCase != nil else { return nil }
        let hasOwnCassette = settings.hasCassette && test.traits.contains { $0 is CassetteTrait }
        // Of several traits of a kind, the innermost one applies.
        let traits = test.traits.lazy.compactMap { $0 as? Self }
        let innermost = traits.last { $0.settings.hasCassette == settings.hasCassette }
        return hasOwnCassette || innermost?.settings.id != settings.id ? nil : self
    }

    /// Runs one case of a test while the stubber serves it.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestScope(test, testCase, settings).run(function)
    }
}

extension Trait where Self == CassetteTrait {
    /// Gives the test a cassette named for it.
    public static var cassette: Self { CassetteTrait(settings: TraitSettings()) }

    /// Gives the test a cassette.
    /// - Parameters:
    ///   - name: The name of the cassette; that of the test and its arguments by default.
    ///   - directory: The folder of the cassettes; `Cassettes/<Suite>` at the root of the test's project by default.
    ///   - matching: The parts of a request that must be equal; those of the configuration by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
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
    /// Gives every test of the suite a cassette named for it.
    public static var cassettes: Self { StubberTrait(settings: TraitSettings()) }

    /// Gives every test of the suite a cassette named for it.
    /// - Parameters:
    ///   - directory: The folder of the cassettes; `Cassettes/<Suite>` at the root of the test's project by default.
    ///   - matching: The parts of a request that must be equal; those of the configuration by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
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
    /// - Parameter configuration: What is let through to the network, and how misses are reported.
    /// - Returns: The trait.
    public static func stubs(configuration: Stubber.Configuration) -> Self {
        StubberTrait(settings: TraitSettings(configuration, hasCassette: false))
    }
}

/// The settings of all traits of this library.
struct TraitSettings: Sendable {
    /// Distinguishes the settings of one trait from those of another.
    fileprivate let id = UUID()
    /// Whether there is a cassette, and not stubs alone.
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
        // Code of a test without a cassette keeps its network, and only this library knows that it is one. Traits are
        // made before the first test runs.
        RunningTest.isToldBy { Test.current != nil }
    }
}
