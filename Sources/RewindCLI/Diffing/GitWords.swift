/// The words with which git calls a program in place of its own diff (gitdiffcore, `GIT_EXTERNAL_DIFF`).
struct GitWords: Hashable, Sendable {
    /// The path in the repository.
    let path: String
    /// The file with the content before; `nil` where the path is unmerged.
    let old: String?
    /// The file with the content after; `nil` where the path is unmerged.
    let new: String?
    /// The path after a renaming.
    let newPath: String

    /// Reads the words: path, old file, its digest and mode, new file, its digest and mode, and for a renaming the new path
    /// and what git says of it; an unmerged path has no other word.
    /// - Returns: `nil` where they are of another number.
    init?(_ words: [String]) {
        guard let path = words.first, [1, 7, 8, 9].contains(words.count) else { return nil }
        self.path = path
        old = words.count > 1 ? words[1] : nil
        new = words.count > 1 ? words[4] : nil
        newPath = words.count > 7 ? words[7] : path
    }

    /// The names above a diff, as git has them.
    var names: (old: String, new: String) {
        (old == "/dev/null" ? "/dev/null" : "a/\(path)", new == "/dev/null" ? "/dev/null" : "b/\(newPath)")
    }
}
