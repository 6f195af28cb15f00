extension StubAnswer {
    /// What a sequence answers after its last answer.
    public enum SequenceEnd: String, Sendable, CaseIterable {
        /// The last answer, for ever.
        case last
        /// Nothing: the request fails.
        case fail
        /// All answers, from the first again.
        case `repeat`
    }

    /// One answer after the other, one for each call.
    ///
    /// A fault of the sequence is one of each answer, after the answer's own.
    ///
    /// ```swift
    /// .sequence([.status(503), .status(503), .recorded], then: .last)
    /// ```
    /// - Parameters:
    ///   - answers: The answers, at least one; a sequence among them goes on by one with each turn it has.
    ///   - end: What comes after the last of them; nothing by default, so that a call too many is not missed.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func sequence(
        _ answers: [StubAnswer],
        then end: SequenceEnd = .fail,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        let problem = answers.isEmpty ? .emptySequence(at: place) : answers.lazy.compactMap(\.problem).first
        return StubAnswer(.sequence(answers, then: end), problem: problem)
    }
}

extension StubAnswer.SequenceEnd {
    /// Which answer of a sequence a call gets, and how often that one was given before.
    func turn(of call: Int, among count: Int) -> (position: Int, call: Int)? {
        guard count > 0, call >= 0 else { return nil }
        guard call >= count else { return (call, 0) }
        return switch self {
        case .last: (count - 1, call - count + 1)
        case .fail: nil
        case .repeat: (call % count, call / count)
        }
    }
}
