extension StubAnswer {
    /// The answer, its head coming later.
    /// - Parameter pause: How much later; twice is twice as much.
    /// - Returns: The answer.
    public func delayed(
        by pause: Duration
    ) -> StubAnswer {
        return adding(.delay(StubTime.milliseconds(pause)), .negativeTime(pause))
    }

    /// The answer, its body spread evenly over a time after the head, in the place of any times it had.
    /// - Parameter time: The time from the head to the end.
    /// - Returns: The answer.
    public func responding(
        over time: Duration
    ) -> StubAnswer {
        return adding(.duration(StubTime.milliseconds(time)), .negativeTime(time))
    }

    /// The answer, its body coming no faster than a link lets it through.
    ///
    /// ```swift
    /// .file("Fixtures/photo.jpg").throttled(to: .edge)
    /// ```
    /// - Parameter speed: The speed of the link.
    /// - Returns: The answer.
    public func throttled(
        to speed: Speed
    ) -> StubAnswer {
        guard speed.bytesPerSecond < 1 else { return adding(.speed(speed)) }
        let cause = "at \(speed.bytesPerSecond) bytes in a second it never ends"
        let suggestion = "Give a speed of one byte in a second or more, or use `.timingOut()`."
        return adding(.speed(speed), Problem(cause, recoverySuggestion: suggestion))
    }

    /// The answer, each of its pauses shorter or longer by chance, each call in its own way.
    /// - Parameters:
    ///   - fraction: How much of itself a pause may be shorter or longer, from 0 to 1.
    ///   - seed: Where chance begins; the same seed gives the same times in every run.
    /// - Returns: The answer.
    public func jittered(by fraction: Double, seed: UInt64) -> StubAnswer {
        let suggestion = "Give a part of each pause, from 0 to 1."
        let problem = Problem("its jitter is \(fraction)", recoverySuggestion: suggestion)
        return adding(.jitter(Jitter(fraction: fraction, seed: seed)), 0...1 ~= fraction ? nil : problem)
    }

    /// The answer, its head and each of its pieces coming later by chance, each call in its own way.
    /// - Parameters:
    ///   - pause: How much longer a pause may be.
    ///   - seed: Where chance begins; the same seed gives the same times in every run.
    /// - Returns: The answer.
    public func jittered(by pause: Duration, seed: UInt64) -> StubAnswer {
        let jitter = Jitter(milliseconds: StubTime.milliseconds(pause), seed: seed)
        return adding(.jitter(jitter), .negativeTime(pause))
    }

    /// The answer up to some bytes of its body, and then `NSURLErrorNetworkConnectionLost`, unless it is shorter.
    /// - Parameter count: The number of bytes; with 0 the head alone comes.
    /// - Returns: The answer.
    public func cut(
        afterBytes count: Int
    ) -> StubAnswer {
        let cause = "its connection is lost after \(count) bytes"
        let problem = Problem(cause, recoverySuggestion: "Give a number of bytes from zero on.")
        return adding(.cut(count), count < 0 ? problem : nil)
    }

    /// The answer with the same head, and with bytes in place of its body that no parser accepts.
    ///
    /// There are as many as in the body, or 64 where it was empty and may not be.
    /// - Parameter seed: Where chance begins; the same seed gives the same bytes in every run.
    /// - Returns: The answer.
    public func malformed(seed: UInt64) -> StubAnswer { adding(.malformation(seed: seed)) }

    /// No answer, ever: the timeout of the session that asks ends the request.
    /// - Returns: The answer.
    package func timingOut() -> StubAnswer { adding(.silence) }

    private func adding(_ fault: StubFault, _ problem: Problem? = nil) -> StubAnswer {
        var answer = self
        answer.faults.append(fault)
        answer.problem = answer.problem ?? problem
        return answer
    }

    /// How fast the bytes of an answer arrive.
    ///
    /// The named speeds are those of OHHTTPStubs 9.1.0 (`HTTPStubsResponse.m`), whose kilobyte has 1000 bytes.
    public struct Speed: Hashable, Sendable {
        /// The number of bytes in a second.
        let bytesPerSecond: Int

        /// A number of bytes in a second, at least one.
        public static func bytesPerSecond(_ count: Int) -> Speed { Speed(bytesPerSecond: count) }

        /// GPRS: 56 kbit/s, 7,000 bytes in a second.
        public static let gprs = Speed(bytesPerSecond: 7_000)
        /// EDGE: 128 kbit/s, 16,000 bytes in a second.
        public static let edge = Speed(bytesPerSecond: 16_000)
        /// 3G: 3.2 Mbit/s, 400,000 bytes in a second.
        public static let threeG = Speed(bytesPerSecond: 400_000)
        /// 3G+: 7.2 Mbit/s, 900,000 bytes in a second.
        public static let threeGPlus = Speed(bytesPerSecond: 900_000)
        /// Wi-Fi: 12 Mbit/s, 1,500,000 bytes in a second.
        public static let wifi = Speed(bytesPerSecond: 1_500_000)
    }
}
