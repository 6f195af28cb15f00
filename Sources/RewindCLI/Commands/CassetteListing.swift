import Foundation
import Rewind

/// The cassettes of a folder, read in parallel.
struct CassetteListing: Sendable {
    var cassettes: [ListedCassette]
    let problems: [any Error]

    enum Order: String, CaseIterable { case name, age, size, interactions }

    init(_ files: [URL], in folder: URL) {
        let found = Locked([Result<ListedCassette, any Error>?](repeating: nil, count: files.count))
        let progress = Locked(ProgressLine(total: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let cassette = Result {
                try ListedCassette(files[index], name: files[index].displayPath(in: folder))
            }
            found.withLock { $0[index] = cassette }
            progress.withLock { $0.advance() }
        }
        progress.withLock { $0.clear() }
        let results = found.withLock { $0.compactMap { $0 } }
        cassettes = results.compactMap { try? $0.get() }
        problems = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }

    mutating func sort(by order: Order) {
        // The sort of the standard library is stable.
        switch order {
        case .name: break
        case .age: cassettes.sort { ($0.newest ?? .distantFuture) < ($1.newest ?? .distantFuture) }
        case .size: cassettes.sort { $0.size > $1.size }
        case .interactions: cassettes.sort { $0.interactionCount > $1.interactionCount }
        }
    }
}

/// A row of the list, collected without reading bodies.
struct ListedCassette: Sendable {
    let file: URL
    let name: String
    let interactionCount: Int
    /// The hosts in the order of their first request, with the port unless it is the default one of the scheme.
    let hosts: [String]
    /// The start of the newest interaction; `nil` if unknown.
    let newest: Date?
    let size: Int
    let format: String
    let isNative: Bool

    init(_ file: URL, name: String) throws {
        let cassette = try RecordedCassette(contentsOf: file)
        self.file = file
        self.name = name
        interactionCount = cassette.interactions.count
        format = cassette.format.name
        isNative = cassette.format == .har
        var hosts = HostList()
        var newest = Date.distantPast
        for position in cassette.interactions.indices {
            let beginning = cassette.interactions.beginning(at: position)
            hosts.add(beginning.url)
            newest = max(newest, beginning.startedAt)
        }
        self.hosts = hosts.hosts
        self.newest = newest == .distantPast ? nil : newest
        let bodies = CassetteFolder.bodies(of: file)
        let files = [file] + DirectoryListing.names(in: bodies).map { bodies.appendingPathComponent($0) }
        size = files.reduce(0) { $0 + (FileStatus($1)?.size ?? 0) }
    }
}

/// The distinct hosts of URLs, in the order in which they were added.
struct HostList: Sendable {
    private(set) var hosts: [String] = []
    private var origins: Set<Substring> = []

    mutating func add(_ url: String) {
        // Most URLs have the same origin, so this parses each origin only once.
        guard origins.insert(url.beforePath).inserted else { return }
        let host = URLParts(url).authority
        if !host.isEmpty, !hosts.contains(host) { hosts.append(host) }
    }
}

extension String {
    /// The part of a URL before its path; the whole URL if it has no path.
    var beforePath: Substring {
        var slashes = 0
        return Substring(
            utf8.prefix { byte in
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes < 3
            }
        )
    }
}
