import Foundation

/// A failure to get a response, as an error's domain and code.
public struct Failure: Hashable, Sendable {
    /// The domain, such as `NSURLErrorDomain`.
    public var domain: String
    /// The code within the domain, such as -1004 for a refused connection.
    public var code: Int
    /// What the platform said of it when it was recorded.
    public var message: String

    /// Creates a failure.
    /// - Parameters:
    ///   - domain: The error's domain; `NSURLErrorDomain` by default.
    ///   - code: The error's code within the domain.
    ///   - message: What the platform says of it; empty by default.
    public init(domain: String = NSURLErrorDomain, code: Int, message: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Creates a failure from any error.
    public init(_ error: any Error) {
        let error = error as NSError
        self.init(domain: error.domain, code: error.code, message: error.localizedDescription)
    }
}
