import Foundation

extension StubAnswer {
    /// No answer, forever: the timeout of the session that asks ends the request.
    ///
    /// Where the session has no timeout, that is after ten years.
    public static let timeout = failure(.timedOut).timingOut()

    /// A failure of the loading system, such as `.notConnectedToInternet`.
    /// - Parameter code: The code of the error.
    /// - Returns: The answer.
    public static func failure(_ code: URLError.Code) -> StubAnswer {
        failure(Failure(code: code.rawValue))
    }

    /// A failure with an error, which arrives as an `NSError` of its domain, code and description.
    /// - Parameter error: The error.
    /// - Returns: The answer.
    public static func failure(_ error: any Error & Sendable) -> StubAnswer {
        failure(Failure(error))
    }

    private static func failure(_ failure: Failure) -> StubAnswer {
        StubAnswer(.written(.failure(failure, after: nil), Interaction.Timing()))
    }
}
