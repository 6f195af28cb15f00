import Dispatch
import Foundation
import Rewind

/// The cassettes of a folder, opened several at a time.
struct CassetteListing: Sendable {
    /// What can be read.
    var cassettes: [ListedCassette]
    /// What cannot be read, in the order of the paths.
    let problems: [any Error]

    /// The orders of a list.
    enum Order: String, CaseIterable {
        /// By path.
        case name
        /// The oldest first.
        case age
        /// The largest first.
        case size
        /// The longest first.
        case interactions
    }

    /// Opens files of a folder.
    init(_ files: [URL], in folder: URL) {
        let found = Locked([Result<ListedCassette, any Error>?](repeating: nil, count: files.count))
        let progress = Locked(ProgressLine(total: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let cassette = Result { try ListedCassette(files[index], name: files[index].path(in: folder)) }
            found.withLock { $0[index] = cassette }
            progress.withLock { $0.advance() }
        }
        progress.withLock { $0.clear() }
        let results = found.withLock { $0.compactMap { $0 } }
        cassettes = results.compactMap { try? $0.get() }
        problems = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }

    /// Brings the cassettes into an order; those that are equal in it stay in that of their paths.
    mutating func sort(by order: Order) {
        let numbered = cassettes.enumerated()
        let isBefore: (ListedCassette, ListedCassette) -> Bool =
            switch order {
            case .name: { _, _ in false }
            case .age: { ($0.newest ?? .distantFuture) < ($1.newest ?? .distantFuture) }
            case .size: { $0.size > $1.size }
            case .interactions: { $0.interactionCount > $1.interactionCount }
            }
        cassettes =
            numbered.sorted { left, right in
                if isBefore(left.element, right.element) { return true }
                return !isBefore(right.element, left.element) && left.offset < right.offset
            }.map(\.element)
    }
}

extension URL {
    /// The path from a folder that the file is in.
    func path(in folder: URL) -> String {
        let start = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }
}
