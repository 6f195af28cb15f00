import Foundation
import Rewind

/// What a list tells of a cassette, found without a look at any body.
struct ListedCassette: Sendable {
    /// The file.
    let file: URL
    /// The path in the folder that is listed.
    let name: String
    /// The number of interactions.
    let interactionCount: Int
    /// The hosts, with a port where it is not the scheme's own, in the order in which they were first asked.
    let hosts: [String]
    /// When the newest interaction was started; `nil` where nothing tells.
    let newest: Date?
    /// The bytes of the file and of the folder of its bodies.
    let size: Int
    /// The name of the format.
    let format: String
    /// Whether the format is the one that Rewind writes.
    let isNative: Bool

    /// Opens a cassette and goes through it.
    /// - Parameters:
    ///   - file: The file.
    ///   - name: Its path in the folder.
    /// - Throws: ``CassetteError`` where it cannot be read.
    init(_ file: URL, name: String) throws {
        let cassette = try RecordedCassette(contentsOf: file)
        self.file = file
        self.name = name
        interactionCount = cassette.reel.count
        format = cassette.format.name
        isNative = cassette.format is HARFormat.Type
        var hosts = HostList()
        var newest = Date.distantPast
        for position in cassette.reel.indices {
            let beginning = cassette.reel.beginning(at: position)
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
