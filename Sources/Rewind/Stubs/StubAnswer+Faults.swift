extension StubAnswer {
    /// Delays the answer. Delays add up: calling it twice waits for both.
    /// - Parameter pause: The time before the status and header fields arrive; zero or more.
    /// - Returns: The answer.
    public func delayed(by pause: Duration) -> StubAnswer {
        return adding(.delay(StubTime.milliseconds(pause)), .negativeTime(pause))
    }

    /// Spreads the body evenly over a time that begins with the header fields. It replaces earlier times of the body.
    /// - Parameter time: The time from the header fields to the end of the body; zero or more.
    /// - Returns: The answer.
    public func responding(over time: Duration) -> StubAnswer {
        return adding(.duration(StubTime.milliseconds(time)), .negativeTime(time))
    }

    /// Limits the speed at which the body arrives.
    ///
    /// ```swift
    /// .file("Fixtures/photo.jpg").throttled(to: .edge)
    /// ```
    /// - Parameter speed: The speed of the connection; at least one byte per second.
    /// - Returns: The answer.
    public func throttled(to speed: Speed) -> StubAnswer {
        guard speed.bytesPerSecond < 1 else { return adding(.speed(speed)) }
        let cause = "the speed of \(speed.bytesPerSecond) bytes per second is less than 1"
        let suggestion = "Use at least 1 byte per second, or `.timeout` for a response that never arrives."
        return adding(.speed(speed), Problem(cause, recoverySuggestion: suggestion))
    }

    /// Makes each pause of the answer randomly shorter or longer, differently for each request.
    /// - Parameters:
    ///   - fraction: The largest change of a pause as a fraction of it, from 0 to 1. With 0.2, a pause of 1 s lasts 0.8 to
    ///     1.2 s.
    ///   - seed: The seed of the random numbers. The same seed gives the same times in every run.
    /// - Returns: The answer.
    public func jittered(by fraction: Double, seed: UInt64) -> StubAnswer {
        let suggestion = "Use a fraction from 0 to 1."
        let problem = Problem("the jitter \(fraction) is invalid", recoverySuggestion: suggestion)
        return adding(.jitter(Jitter(fraction: fraction, seed: seed)), 0...1 ~= fraction ? nil : problem)
    }

    /// Delays the header fields and each chunk of the body by random times, different for each request.
    /// - Parameters:
    ///   - pause: The longest additional delay; zero or more.
    ///   - seed: The seed of the random numbers. The same seed gives the same times in every run.
    /// - Returns: The answer.
    public func jittered(by pause: Duration, seed: UInt64) -> StubAnswer {
        let jitter = Jitter(milliseconds: StubTime.milliseconds(pause), seed: seed)
        return adding(.jitter(jitter), .negativeTime(pause))
    }

    /// Cuts off the body after a number of bytes and fails with `NSURLErrorNetworkConnectionLost`. A body of at most that many bytes arrives whole.
    /// - Parameter count: The number of bytes that arrive. With 0, only the status and the header fields arrive.
    /// - Returns: The answer.
    public func cut(afterBytes count: Int) -> StubAnswer {
        let cause = "the number of bytes \(count) is negative"
        let problem = Problem(cause, recoverySuggestion: "Use zero or more bytes.")
        return adding(.cut(count), count < 0 ? problem : nil)
    }

    /// Replaces the body by random bytes that no parser accepts. The status and the header fields stay.
    ///
    /// The body has as many bytes as before. An empty body becomes 64 bytes if its status permits a body.
    /// - Parameter seed: The seed of the random bytes. The same seed gives the same bytes in every run.
    /// - Returns: The answer.
    public func malformed(seed: UInt64) -> StubAnswer { adding(.malformation(seed: seed)) }

    /// Never answers, so that the session's timeout ends the request.
    package func timingOut() -> StubAnswer { adding(.silence) }

    private func adding(_ fault: StubFault, _ problem: Problem? = nil) -> StubAnswer {
        var answer = self
        answer.faults.append(fault)
        answer.problem = answer.problem ?? problem
        return answer
    }

    /// The speed at which a body arrives.
    ///
    /// The named speeds are those of OHHTTPStubs 9.1.0 (`HTTPStubsResponse.m`), with kilobytes of 1000 bytes.
    public struct Speed: Hashable, Sendable {
        let bytesPerSecond: Int

        /// A speed in bytes per second, at least 1.
        public static func bytesPerSecond(_ count: Int) -> Speed { Speed(bytesPerSecond: count) }

        /// GPRS: 56 kbit/s, or 7,000 bytes per second.
        public static let gprs = Speed(bytesPerSecond: 7_000)
        /// EDGE: 128 kbit/s, or 16,000 bytes per second.
        public static let edge = Speed(bytesPerSecond: 16_000)
        /// 3G: 3.2 Mbit/s, or 400,000 bytes per second.
        public static let threeG = Speed(bytesPerSecond: 400_000)
        /// 3G+: 7.2 Mbit/s, or 900,000 bytes per second.
        public static let threeGPlus = Speed(bytesPerSecond: 900_000)
        /// Wi-Fi: 12 Mbit/s, or 1,500,000 bytes per second.
        public static let wifi = Speed(bytesPerSecond: 1_500_000)
    }
}
