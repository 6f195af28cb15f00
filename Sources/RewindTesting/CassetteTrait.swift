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
/// test, with the whole story; the cassette is attached to a test that fails.
public struct CassetteTrait: TestTrait, TestScoping {
    let settings: CassetteSettings

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

extension Trait where Self == CassetteTrait {
    /// Gives the test a cassette named for it.
    public static var cassette: Self { CassetteTrait(settings: CassetteSettings()) }

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
        matching: [Matcher]? = nil,
        mode: RecordingMode = .default,
        configuration: Configuration = Configuration()
    ) -> Self {
        CassetteTrait(
            settings: CassetteSettings(
                name: name,
                directory: directory,
                matching: matching,
                mode: mode,
                configuration: configuration
            )
        )
    }
}
