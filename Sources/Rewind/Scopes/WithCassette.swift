import Foundation

/// Records the requests of your code on the first run, and replays them on every later run.
///
/// ```swift
/// let posts = try await withCassette("timeline") { stubber in
///     try await APIClient().timeline()
/// }
/// ```
///
/// If your code throws while recording, the recording is written beside the cassette as `<name>.failed.har`. An existing
/// cassette is not changed.
/// - Parameters:
///   - name: The name of the cassette, without an extension. It may contain `/` for a subfolder.
///   - directory: The folder of the cassettes; `Cassettes` at the root of the calling file's project by default.
///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
///   - configuration: The settings for matching, replay, redaction and reports.
///   - filePath: A file in the project; the calling file by default.
///   - isolation: The actor on which the code runs; the caller's by default.
///   - body: The code. It receives the stubber.
/// - Returns: The result of your code.
/// - Throws: The error of your code. ``Stubber/ConfigurationError`` if a setting is invalid, ``CassetteError`` if the cassette
///   cannot be read or written, ``StubError`` if a stub is invalid, and ``Stubber/ScopeError`` if something is wrong when
///   the code ends, such as a request without a response.
@discardableResult
public func withCassette<Result>(
    _ name: String,
    in directory: URL? = nil,
    mode: RecordingMode = .default,
    configuration: Stubber.Configuration = Stubber.Configuration(),
    filePath: StaticString = #filePath,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Stubber) async throws -> Result
) async throws -> Result {
    let stubber = try Stubber(
        cassette: name,
        in: directory,
        mode: mode,
        configuration: configuration,
        filePath: filePath,
        for: .function("withCassette")
    )
    return try await CassetteScope.serve(stubber) { try await body(stubber) }
}

/// Records the requests of your code on the first run, and replays them on every later run.
///
/// If your code throws while recording, the recording is written beside the cassette as `<name>.failed.har`. An existing
/// cassette is not changed.
/// - Parameters:
///   - name: The name of the cassette, without an extension. It may contain `/` for a subfolder.
///   - directory: The folder of the cassettes; `Cassettes` at the root of the calling file's project by default.
///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
///   - configuration: The settings for matching, replay, redaction and reports.
///   - filePath: A file in the project; the calling file by default.
///   - body: The code. It receives the stubber.
/// - Returns: The result of your code.
/// - Throws: The error of your code. ``Stubber/ConfigurationError`` if a setting is invalid, ``CassetteError`` if the cassette
///   cannot be read or written, ``StubError`` if a stub is invalid, and ``Stubber/ScopeError`` if something is wrong when
///   the code ends, such as a request without a response.
@discardableResult
public func withCassette<Result>(
    _ name: String,
    in directory: URL? = nil,
    mode: RecordingMode = .default,
    configuration: Stubber.Configuration = Stubber.Configuration(),
    filePath: StaticString = #filePath,
    _ body: (Stubber) throws -> Result
) throws -> Result {
    let stubber = try Stubber(
        cassette: name,
        in: directory,
        mode: mode,
        configuration: configuration,
        filePath: filePath,
        for: .function("withCassette")
    )
    return try CassetteScope.serve(stubber) { try body(stubber) }
}

/// Runs code whose requests are answered only by stubs, without a cassette and without the network.
///
/// ```swift
/// try await withStubs { stubber in
///     stubber.stub(.get("https://api.example.com/users/*")) { _ in .json(["id": 42]) }
///     let user = try await APIClient().user(42)
/// }
/// ```
///
/// A request that no stub matches fails with a ``Miss``. Without stubs, every request fails.
/// - Parameters:
///   - configuration: The settings, such as hosts whose requests may use the network.
///   - testName: The name of the test in messages; none by default.
///   - isolation: The actor on which the code runs; the caller's by default.
///   - body: The code. It receives the stubber.
/// - Returns: The result of your code.
/// - Throws: The error of your code. ``StubError`` if a stub is invalid, and ``Stubber/ScopeError`` if something is wrong when
///   the code ends, such as an unused stub.
public func withStubs<Result>(
    configuration: Stubber.Configuration = Stubber.Configuration(),
    testName: String? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Stubber) async throws -> Result
) async throws -> Result {
    let stubber = Stubber(stubsOnly: configuration, for: .withStubs(testName))
    return try await CassetteScope.serve(stubber) { try await body(stubber) }
}

/// Runs code whose requests are answered only by stubs, without a cassette and without the network.
/// - Parameters:
///   - configuration: The settings, such as hosts whose requests may use the network.
///   - testName: The name of the test in messages; none by default.
///   - body: The code. It receives the stubber.
/// - Returns: The result of your code.
/// - Throws: The error of your code. ``StubError`` if a stub is invalid, and ``Stubber/ScopeError`` if something is wrong when
///   the code ends, such as an unused stub.
public func withStubs<Result>(
    configuration: Stubber.Configuration = Stubber.Configuration(),
    testName: String? = nil,
    _ body: (Stubber) throws -> Result
) throws -> Result {
    let stubber = Stubber(stubsOnly: configuration, for: .withStubs(testName))
    return try CassetteScope.serve(stubber) { try body(stubber) }
}

extension TestIdentity {
    fileprivate static func withStubs(_ testName: String?) -> TestIdentity {
        TestIdentity(.function("withStubs"), name: testName, test: TestIdentity(name: testName).test)
    }
}
