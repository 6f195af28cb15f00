import Foundation

/// The hosts whose requests always go to the network.
struct PassthroughHosts: Sendable {
    /// A host, and a port if only that one is meant.
    private struct Place: Hashable, Sendable {
        let host: PlainHost
        let port: Int?
    }

    private struct Suffix: Sendable {
        let text: String
        let port: Int?
    }

    private let places: Set<Place>
    private let suffixes: [Suffix]
    /// The ports of `localhost`; `nil` means all ports.
    private let localPorts: Set<Int?>
    private let machine: ThisMachine

    init(_ hosts: Set<String>, machine: ThisMachine = ThisMachine()) {
        let patterns = hosts.map(HostPattern.init)
        places = Set(patterns.filter { !$0.isWildcard }.map { Place(host: PlainHost($0.host), port: $0.port) })
        suffixes = patterns.filter(\.isWildcard).map { Suffix(text: $0.host, port: $0.port) }
        localPorts = Set(patterns.filter { PlainHost($0.host).name == "localhost" }.map(\.port))
        self.machine = machine
    }

    var isEmpty: Bool { places.isEmpty && suffixes.isEmpty }

    func contains(_ url: URLParts) -> Bool {
        let (host, port) = (PlainHost(url.host), url.port)
        if places.contains(Place(host: host, port: nil)) || places.contains(Place(host: host, port: port)) {
            return true
        }
        func isPort(_ allowed: Int?) -> Bool { allowed == nil || allowed == port }
        if suffixes.contains(where: { isPort($0.port) && host.name.hasSuffix($0.text) }) { return true }
        return localPorts.contains(where: isPort) && machine.contains(host)
    }
}

/// What a user writes: a name, an address, `*.` and a domain, or `*`, each with an optional port.
private struct HostPattern {
    /// For a wildcard, what the host ends with.
    let host: String
    let isWildcard: Bool
    let port: Int?

    init(_ text: String) {
        isWildcard = text == "*" || text.hasPrefix("*.") || text.hasPrefix("*:")
        // Without the dot, as an internationalized name could not be converted with it.
        let rest = text.dropFirst(isWildcard ? text.hasPrefix("*.") ? 2 : 1 : 0)
        // An IPv6 address without brackets has colons, but no port.
        let isBareAddress = !rest.hasPrefix("[") && rest.utf8.filter { $0 == UInt8(ascii: ":") }.count > 1
        let url = SpelledURL("http://\(isBareAddress ? "[\(rest)]" : rest)/")
        port = url.port.flatMap { Int($0) }
        let name = PlainHost(URLParts("http://\(url.host ?? rest)/").host).name
        host = isWildcard && !name.isEmpty ? "." + name : name
    }
}

/// A host of which equal ones are equal: without percent-encoding and a final full stop, and an address as a number.
struct PlainHost: Hashable, Sendable {
    /// The name, or the address as it was written.
    let name: String
    let address: IPAddress?

    /// Reads the host of ``URLParts``, which is in lower case.
    init(_ host: String) {
        var name = host
        if name.utf8.contains(UInt8(ascii: "%")), !name.hasPrefix("[") {
            name = PercentDecoding.decoded(name)?.lowercased() ?? name
        }
        if name.hasSuffix(".") { name.removeLast() }
        self.name = name
        address = IPAddress(name)
    }

    static func == (one: PlainHost, other: PlainHost) -> Bool {
        one.address == other.address && (one.address != nil || one.name == other.name)
    }

    func hash(into hasher: inout Hasher) {
        if let address { hasher.combine(address) } else { hasher.combine(name) }
    }
}

/// Whether a host is this machine. Asks the system when needed, and again after a second, as interfaces come and go.
final class ThisMachine: Sendable {
    private struct Answer<Value: Sendable>: Sendable {
        let value: Value
        let expiry = Deadline(after: 1)
    }

    private let identity: MachineIdentity
    private let names = Locked<Answer<Set<String>>?>(nil)
    private let addresses = Locked<Answer<Set<IPAddress>>?>(nil)

    init(_ identity: MachineIdentity = MachineIdentity()) { self.identity = identity }

    func contains(_ host: PlainHost) -> Bool {
        if let address = host.address {
            return address.isLocalEverywhere || Self.value(in: addresses, identity.addresses).contains(address)
        }
        // RFC 6761 section 6.3.
        if host.name == "localhost" || host.name.hasSuffix(".localhost") { return true }
        return Self.value(in: names, identity.names).contains(host.name)
    }

    private static func value<Value>(in answer: Locked<Answer<Value>?>, _ ask: () -> Value) -> Value {
        answer.withLock { answer in
            if let answer, !answer.expiry.isOver { return answer.value }
            let new = Answer(value: ask())
            answer = new
            return new.value
        }
    }
}
