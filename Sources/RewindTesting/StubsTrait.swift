import Foundation
import Rewind
import Testing

/// A trait that gives a test a stubber without a cassette, whose stubs are the only answers.
///
/// ## Usage
/// ```swift
/// @Test(.stubs) func offline() async throws {
///     Stubber.current?.stub(.host("api.example.com"), respond: .failure(.notConnectedToInternet))
///     …
/// }
/// ```
///
/// ## Overview
/// Nothing goes to the network: a request that no stub is for fails and is an issue at the test. On a suite, each of its
/// tests, and each case of them, has a stubber of its own. A test that has a cassette as well is answered by it first.
public struct StubsTrait: SuiteTrait, TestTrait, TestScoping {
    let settings: CassetteSettings

    /// The trait is for the tests of the suite and of the suites in it, not for the suite as a whole.
    public var isRecursive: Bool { true }

    /// Opens a scope for each case, and none around a suite or a whole test.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> StubsTrait? {
        // Of several around a test, the innermost decides.
        let innermost = test.traits.last { $0 is StubsTrait } as? StubsTrait
        return testCase == nil || innermost?.settings.id != settings.id ? nil : self
    }

    /// Runs a test, or one of its cases, while its stubs serve.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestScope(test, testCase, settings).run(function)
    }
}

extension Trait where Self == StubsTrait {
    /// Gives the test a stubber without a cassette.
    public static var stubs: Self { stubs(configuration: Configuration()) }

    /// Gives the test a stubber without a cassette.
    /// - Parameter configuration: What is let through to the network, and how misses are reported.
    /// - Returns: The trait.
    public static func stubs(configuration: Configuration) -> Self {
        StubsTrait(settings: CassetteSettings(hasCassette: false, configuration: configuration))
    }
}
