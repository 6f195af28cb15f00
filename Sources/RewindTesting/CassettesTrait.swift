import Foundation
import Rewind
import Testing

/// A trait that gives every test of a suite, and every case of each, its own cassette.
///
/// ## Usage
/// ```swift
/// @Suite(.cassettes) struct UserTests { … }
/// @Suite(.cassettes(matching: [.method, .path], mode: .once)) struct APITests { … }
/// ```
///
/// A test with a ``CassetteTrait`` of its own has that one instead.
public struct CassettesTrait: SuiteTrait, TestTrait, TestScoping {
    let settings: CassetteSettings

    /// The trait is for the tests of the suite and of the suites in it, not for the suite as a whole.
    public var isRecursive: Bool { true }

    /// Opens a scope for each case, and none around a suite or a whole test.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassettesTrait? {
        let hasItsOwn = test.traits.contains { $0 is CassetteTrait }
        // Of several suites around a test, the innermost decides.
        let isInnermost =
            (test.traits.last { $0 is CassettesTrait } as? CassettesTrait)?.settings.id == settings.id
        return testCase == nil || hasItsOwn || !isInnermost ? nil : self
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

extension Trait where Self == CassettesTrait {
    /// Gives every test of the suite a cassette named for it.
    public static var cassettes: Self { CassettesTrait(settings: CassetteSettings()) }

    /// Gives every test of the suite a cassette named for it.
    /// - Parameters:
    ///   - directory: The folder of the cassettes; `Cassettes/<Suite>` at the root of the test's project by default.
    ///   - matching: The parts of a request that must be equal; those of the configuration by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
    ///   - configuration: How requests are matched, played, redacted and reported.
    /// - Returns: The trait.
    public static func cassettes(
        in directory: URL? = nil,
        matching: [Matcher]? = nil,
        mode: RecordingMode = .default,
        configuration: Configuration = Configuration()
    ) -> Self {
        CassettesTrait(
            settings: CassetteSettings(
                name: nil,
                directory: directory,
                matching: matching,
                mode: mode,
                configuration: configuration
            )
        )
    }
}
