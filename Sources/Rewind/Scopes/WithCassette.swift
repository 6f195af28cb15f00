import Foundation

/// Runs code whose requests are recorded to a cassette the first time, and replayed from it ever after.
///
/// ## Usage
/// ```swift
/// let posts = try await withCassette("timeline") { stubber in
///     try await APIClient().timeline()
/// }
/// ```
///
/// When the code throws, a recording is kept beside the cassette and replaces nothing.
/// - Parameters:
///   - name: The name of the cassette, without an extension.
///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's project by default.
///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
///   - configuration: How requests are matched, played, redacted and reported.
///   - filePath: A file of the caller's project.
///   - isolation: The actor on which the code runs; the caller's.
///   - body: The code. It is given the stubber.
/// - Returns: What the code returns.
/// - Throws: What the code throws; ``Stubber/ConfigurationError`` or ``CassetteError`` when the cassette cannot be found, read
///   or written; an error that names them when recordings were in flight or interactions were not played.
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
        filePath: filePath
    )
    return try await CassetteScope.serve(stubber) { try await body(stubber) }
}

/// Runs code whose requests are recorded to a cassette the first time, and replayed from it ever after.
///
/// When the code throws, a recording is kept beside the cassette and replaces nothing.
/// - Parameters:
///   - name: The name of the cassette, without an extension.
///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's project by default.
///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
///   - configuration: How requests are matched, played, redacted and reported.
///   - filePath: A file of the caller's project.
///   - body: The code. It is given the stubber.
/// - Returns: What the code returns.
/// - Throws: What the code throws; ``Stubber/ConfigurationError`` or ``CassetteError`` when the cassette cannot be found, read
///   or written; an error that names them when recordings were in flight or interactions were not played.
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
        filePath: filePath
    )
    return try CassetteScope.serve(stubber) { try body(stubber) }
}

/// Runs code whose requests only stubs answer: there is no cassette, and nothing goes to the network.
///
/// ## Usage
/// ```swift
/// try await withStubs { stubber in
///     stubber.stub(.get("https://api.example.com/users/*")) { _ in .json(["id": 42]) }
///     let user = try await APIClient().user(42)
/// }
/// ```
///
/// A request that no stub is for fails with its story. Without any stub, the code is one that may not make requests.
/// - Parameters:
///   - configuration: What is let through to the network, and how misses are reported.
///   - testName: The name of the test, for messages; none by default.
///   - isolation: The actor on which the code runs; the caller's.
///   - body: The code. It is given the stubber.
/// - Returns: What the code returns.
/// - Throws: What the code throws; an error that names them when stubs cannot answer or were not used.
public func withStubs<Result>(
    configuration: Stubber.Configuration = Stubber.Configuration(),
    testName: String? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Stubber) async throws -> Result
) async throws -> Result {
    let stubber = Stubber(stubsOnly: configuration, testName: testName)
    return try await CassetteScope.serve(stubber) { try await body(stubber) }
}

/// Runs code whose requests only stubs answer: there is no cassette, and nothing goes to the network.
/// - Parameters:
///   - configuration: What is let through to the network, and how misses are reported.
///   - testName: The name of the test, for messages; none by default.
///   - body: The code. It is given the stubber.
/// - Returns: What the code returns.
/// - Throws: What the code throws; an error that names them when stubs cannot answer or were not used.
public func withStubs<Result>(
    configuration: Stubber.Configuration = Stubber.Configuration(),
    testName: String? = nil,
    _ body: (Stubber) throws -> Result
) throws -> Result {
    let stubber = Stubber(stubsOnly: configuration, testName: testName)
    return try CassetteScope.serve(stubber) { try body(stubber) }
}
