/// A journal that was left where it is because a recording could not be saved.
public struct KeptJournal: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The number of interactions it has.
    public var count: Int
    /// The number of interactions that it lacks, as it could not be written any more.
    public var missingCount: Int

    /// What of a recording is where, to stand at the beginning of a sentence.
    var summary: String {
        let kept =
            missingCount == 0
            ? "What was recorded is"
            : "\(count) of the \(count + missingCount) interactions that were recorded \(count == 1 ? "is" : "are")"
        return "\(kept) kept in \(path), from which the next run recovers \(missingCount == 0 ? "it" : "them")"
    }
}
