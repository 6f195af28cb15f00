/// The hosts whose requests go to the network whatever the mode.
struct PassthroughHosts: Sendable {
    private let names: Set<String>
    private let suffixes: [String]
    private let includesThisMachine: Bool

    /// Reads names, of which `*.` at the start means all hosts below, and `localhost` this machine.
    init(_ hosts: Set<String>) {
        names = hosts
        suffixes = hosts.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
        includesThisMachine = hosts.contains("localhost")
    }

    /// Whether there are none.
    var isEmpty: Bool { names.isEmpty }

    /// Whether a host, in lower case, is one of them.
    func contains(_ host: String) -> Bool {
        names.contains(host) || suffixes.contains { host.hasSuffix($0) }
            || includesThisMachine && Self.isThisMachine(host)
    }

    /// The names of RFC 6761 section 6.3 and the addresses of RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3.
    private static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
