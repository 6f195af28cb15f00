import Foundation

/// An IP address, equal to its other spellings: `127.1`, `2130706433` and `[::ffff:127.0.0.1]` are `127.0.0.1`.
package struct IPAddress: Hashable, Sendable {
    /// Four bytes, or sixteen of an IPv6 address that does not contain an IPv4 address.
    private let bytes: [UInt8]

    /// Reads an address in the spellings that the loading system accepts: those of `inet_aton`, and IPv6 with or without
    /// brackets and a zone. `nil` for a name.
    package init?(_ host: String) {
        guard let first = host.utf8.first else { return nil }
        if first == UInt8(ascii: "[") || host.utf8.contains(UInt8(ascii: ":")) {
            let inner = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
            // The zone selects an interface, and does not belong to the address.
            let plain = inner.prefix { $0 != "%" }
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(plain), &address) == 1 else { return nil }
            bytes = Self.plainBytes(of: address)
        } else {
            // Most hosts are names, and every spelling of an address begins with a digit.
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else { return nil }
            var address = in_addr()
            guard inet_aton(host, &address) != 0 else { return nil }
            bytes = withUnsafeBytes(of: address, Array.init)
        }
    }

    /// Reads the address of a socket; `nil` if it is not an IP address.
    fileprivate init?(_ address: UnsafeMutablePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr, Array.init)
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                Self.plainBytes(of: $0.pointee.sin6_addr)
            }
        default: return nil
        }
    }

    private static func plainBytes(of address: in6_addr) -> [UInt8] {
        var bytes = withUnsafeBytes(of: address, Array.init)
        // Apple's systems list link-local addresses with the number of their interface in these bytes.
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { (bytes[2], bytes[3]) = (0, 0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes[12...]) : bytes
    }

    /// Whether it reaches this machine on every machine: the addresses of RFC 1122 section 3.2.1.3 and RFC 4291
    /// section 2.5, including `0.0.0.0` and `::`, with which clients reach a server on the same machine.
    package var isLocalEverywhere: Bool {
        if bytes.allSatisfy({ $0 == 0 }) { return true }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }
}

/// The host name and the addresses of this machine, as the system knows them without using the network.
package struct MachineIdentity: Sendable {
    /// The host name in lower case, as a whole, without its domain, and in the domain of multicast DNS.
    package var names: @Sendable () -> Set<String> = { hostNames }
    /// The addresses of the network interfaces. On Linux the system is asked through a socket of the kernel.
    package var addresses: @Sendable () -> Set<IPAddress> = { interfaceAddresses }

    package init() {}

    private static var hostNames: Set<String> {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        guard let label = name.split(separator: ".").first else { return [] }
        return [name, String(label), label + ".local"]
    }

    private static var interfaceAddresses: Set<IPAddress> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: Set<IPAddress> = []
        var next = first
        while let interface = next?.pointee {
            // An interface without an address has none here.
            if let address = interface.ifa_addr.flatMap({ IPAddress($0) }) { addresses.insert(address) }
            next = interface.ifa_next
        }
        return addresses
    }
}
