import Foundation
import Rewind

/// The cassettes of a folder, opened several at a time.
struct CassetteListing: Sendable {
    var cassettes: [ListedCassette]
    /// What cannot be read, in the order of the paths.
    let problems: [any Error]

    /// The orders of a list.
    enum Order: String, CaseIterable {
        case name
        case age
        case size
        case interactions
    }

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

/// What a list tells of a cassette, found without a look at any body.
struct ListedCassette: Sendable {
    let file: URL
    let name: String
    let interactionCount: Int
    /// The hosts, with a port where it is not the scheme's own, in the order in which they were first asked.
    let hosts: [String]
    /// When the newest interaction was started; `nil` where nothing tells.
    let newest: Date?
    /// The bytes of the file and of the folder of its bodies.
    let size: Int
    let format: String
    /// Whether the format is the one that Rewind writes.
    let isNative: Bool

    init(_ file: URL, name: String) throws {
        let cassette = try RecordedCassette(contentsOf: file)
        self.file = file
        self.name = name
        interactionCount = cassette.interactions.count
        format = cassette.format.name
        isNative = cassette.format is HARFormat.Type
        var hosts = HostList()
        var newest = Date.distantPast
        for position in cassette.interactions.indices {
            let beginning = cassette.interactions.beginning(at: position)
            hosts.add(beginning.url)
            newest = max(newest, beginning.startedAt)
        }
        self.hosts = hosts.hosts
        self.newest = newest == .distantPast ? nil : newest
        size = FileSize.of(file) + FileSize.ofAll(in: CassetteFolder.bodies(of: file))
    }
}

/// The hosts of many URLs, each once.
struct HostList: Sendable {
    /// The hosts in the order in which they came.
    private(set) var hosts: [String] = []
    private var origins: Set<Substring> = []

    /// Adds the host of a URL, unless it is there.
    mutating func add(_ url: String) {
        // Most URLs share what stands before the path, of which a look is enough.
        var slashes = 0
        let origin = url.utf8.prefix { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes < 3
        }
        guard origins.insert(Substring(origin)).inserted else { return }
        let host = URLParts(url).authority
        if !host.isEmpty, !hosts.contains(host) { hosts.append(host) }
    }
}
