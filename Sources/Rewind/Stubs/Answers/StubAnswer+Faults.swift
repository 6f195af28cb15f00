extension StubAnswer {
    /// The answer, its head coming later.
    /// - Parameters:
    ///   - pause: How much later; twice is twice as much.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public func delayed(
        by pause: Duration,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return adding(.delay(StubTime.milliseconds(pause)), .negativeTime(pause, at: place))
    }

    /// The answer, its body spread evenly over a time after the head, in the place of any times it had.
    /// - Parameters:
    ///   - time: The time from the head to the end.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public func responding(
        over time: Duration,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return adding(.duration(StubTime.milliseconds(time)), .negativeTime(time, at: place))
    }

    /// The answer, its body coming no faster than a link lets it through.
    ///
    /// ```swift
    /// .file("Fixtures/photo.jpg").throttled(to: .edge)
    /// ```
    /// - Parameters:
    ///   - speed: The speed of the link.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public func throttled(
        to speed: Speed,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return adding(.speed(speed), speed.bytesPerSecond < 1 ? .speed(speed.bytesPerSecond, at: place) : nil)
    }

    /// The answer, each of its pauses shorter or longer by chance, each call in its own way.
    /// - Parameters:
    ///   - fraction: How much of itself a pause may be shorter or longer, from 0 to 1.
    ///   - seed: Where chance begins; the same seed gives the same times in every run.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public func jitter(
        _ fraction: Double,
        seed: UInt64,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        let problem = 0...1 ~= fraction ? nil : StubProblem.jitter(fraction, at: place)
        return adding(.jitter(Jitter(extent: .fraction(fraction), seed: seed)), problem)
    }

    /// The answer, its head and each of its pieces coming later by chance, each call in its own way.
    /// - Parameters:
    ///   - pause: How much longer a pause may be.
    ///   - seed: Where chance begins; the same seed gives the same times in every run.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public func jitter(
        _ pause: Duration,
        seed: UInt64,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        let jitter = Jitter(extent: .milliseconds(StubTime.milliseconds(pause)), seed: seed)
        return adding(.jitter(jitter), .negativeTime(pause, at: place))
    }

    /// The answer until so many bytes of its body came, and then `NSURLErrorNetworkConnectionLost`.
    ///
    /// A body that has no more bytes than those comes whole.
    /// - Parameters:
    ///   - count: The number of bytes; with 0 the head alone comes.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public func cut(
        afterBytes count: Int,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return adding(.cut(count), count < 0 ? .cut(count, at: place) : nil)
    }

    /// The answer with the same head, and with bytes in the place of its body that no parser takes.
    ///
    /// They are as many as those of the body, or 64 where it was empty and may not be.
    /// - Parameter seed: Where chance begins; the same seed gives the same bytes in every run.
    /// - Returns: The answer.
    public func malformed(seed: UInt64) -> StubAnswer {
        adding(.malformation(seed: seed))
    }

    /// No answer, ever: the timeout of the session that asks ends the request.
    /// - Returns: The answer.
    public func timingOut() -> StubAnswer {
        adding(.silence)
    }

    private func adding(_ fault: StubFault, _ problem: StubProblem? = nil) -> StubAnswer {
        var answer = self
        answer.faults.append(fault)
        answer.problem = answer.problem ?? problem
        return answer
    }
}
