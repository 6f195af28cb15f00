import Foundation

extension CassetteServer {
    /// The variables that tell another process where the server is.
    ///
    /// ```swift
    /// app.launchEnvironment.merge(try server.environment("BASE_URL")) { $1 }
    /// process.environment = try server.environment("http_proxy", addedTo: ProcessInfo.processInfo.environment)
    /// ```
    /// - Parameters:
    ///   - names: The names of the variables, each of which gets the address.
    ///   - environment: The variables to which they are added; none by default.
    /// - Returns: All the variables.
    /// - Throws: ``CassetteServerError/notStarted`` where the server does not listen.
    public func environment(
        _ names: String...,
        addedTo environment: [String: String] = [:]
    ) throws -> [String: String] {
        guard let url else { throw CassetteServerError.notStarted }
        return names.reduce(into: environment) { $0[$1] = url.absoluteString }
    }
}
