import Foundation

/// Requests that were waited for and did not come.
public struct MissingRequests: Error, Sendable {
    /// What they were to satisfy.
    public let condition: Condition
    /// How many were waited for.
    public let expectedCount: Int
    /// Those that came, secrets taken out.
    public let requests: [Request]
    /// The others that came meanwhile or before, secrets taken out, each with what it lacks.
    package let others: [(request: Request, mismatch: String)]
}

extension MissingRequests: LocalizedError, CustomStringConvertible {
    /// What was waited for and what came instead.
    public var description: String {
        let wanted = expectedCount == 1 ? "a request" : "\(expectedCount) requests"
        let came = requests.isEmpty ? "none" : "\(requests.count)"
        let lines = others.suffix(8).map { "\n  \("\($0.request)".shortened()) (\($0.mismatch))" }
        let rest = others.isEmpty ? " No other request was made." : " Others that were made:" + lines.joined()
        return "Waited for \(wanted) \(condition), and \(came) came.\(rest)"
    }

    /// What was waited for and what came instead.
    public var errorDescription: String? { description }
}
