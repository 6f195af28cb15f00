import Foundation

/// The journal of a process that has ended, held so that nobody else recovers it meanwhile.
struct OrphanedJournal {
    /// Where it is.
    let url: URL
    private let descriptor: Int32

    /// Takes a journal; `nil` where its process lives, or somebody else has just dealt with it.
    ///
    /// Only the lock tells: the number of a process may be that of another one by now, or of one on another machine.
    init?(_ url: URL) {
        let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, TemporaryFile.hasName(descriptor) else {
            close(descriptor)
            return nil
        }
        self.url = url
        self.descriptor = descriptor
    }

    /// What it holds; `nil` where it is no journal that can be read.
    func contents() throws -> JournalContents? {
        JournalContents(try Data(contentsOf: url))
    }

    /// Removes it.
    func remove(_ operations: FileOperations) {
        _ = operations.remove(url.path)
    }

    /// Lets others have it.
    func release() {
        close(descriptor)
    }
}
