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
    configuration: Configuration = Configuration(),
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
    configuration: Configuration = Configuration(),
    testName: String? = nil,
    _ body: (Stubber) throws -> Result
) throws -> Result {
    let stubber = Stubber(stubsOnly: configuration, testName: testName)
    return try CassetteScope.serve(stubber) { try body(stubber) }
}
