import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `localhost` in `passthroughHosts`, with a real server on every address of this machine.
final class PassthroughAddressTests: XCTestCase {
    private var server: EveryAddressServer!
    private var hostName: String { MachineIdentity().names().min { $0.count < $1.count } ?? "" }

    override func setUpWithError() throws { server = try EveryAddressServer() }
    override func tearDown() { server.stop() }

    /// What a request to a host gets: `live`, the code of a miss, or an error of the system.
    private func answer(
        _ host: String,
        _ hosts: Set<String> = ["localhost"],
        _ mode: RecordingMode = .never
    ) async throws -> String {
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = hosts
        let stubber = try Studio().stubber(mode, configuration: configuration)
        let session = stubber.session
        defer { session.finishTasksAndInvalidate() }
        let url = try XCTUnwrap(URL(string: "http://\(host):\(server.port)/"), host)
        let outcome = await Outcome(of: url, in: session)
        return outcome.failure ?? outcome.text
    }

    /// The addresses of the network interfaces, as the system spells them.
    private var interfaceAddresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        for interface in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let address = interface?.pointee.ifa_addr else { continue }
            let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
            guard isIPv6 || Int32(address.pointee.sa_family) == AF_INET else { continue }
            var name = [CChar](repeating: 0, count: 1025)
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard getnameinfo(address, socklen_t(size), &name, 1025, nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            addresses.append(isIPv6 ? "[\(text.replacingOccurrences(of: "%", with: "%25"))]" : text)
        }
        return addresses
    }

    /// Checks that a host gets what it gets without Rewind. Foundation on Linux 6.3 refuses IPv6 and short IPv4 addresses.
    private func assertIsPassedThrough(_ host: String, _ hosts: Set<String> = ["localhost"]) async throws {
        let live = try await answer(host, [], .live)
        let answer = try await answer(host, hosts)
        XCTAssertEqual(answer, live, "\(host) \(hosts)")
        XCTAssertFalse(answer.hasPrefix("Rewind"), host)
        // The others depend on the platform.
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.count == 4 && parts.allSatisfy { UInt8($0).map { "\($0)" } == String($0) }
        if isPlain { XCTAssertEqual(answer, "live", host) }
    }

    func testEveryAddressOfThisMachineIsLocalhost() async throws {
        XCTAssertFalse(interfaceAddresses.isEmpty)
        let spellings = [
            "localhost", "LocalHost", "127.0.0.1", "127.9.8.7", "127.1", "2130706433", "0x7f.1", "0177.0.0.1",
            "0x7F000001", "0.0.0.0", "0", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]",
            "[::FFFF:7F00:1]",
        ]
        for host in spellings + interfaceAddresses { try await assertIsPassedThrough(host) }
    }

    /// The system may be unable to resolve some of these names.
    func testEveryNameOfThisMachineIsLocalhost() async throws {
        XCTAssertFalse(hostName.isEmpty)
        let names = [
            "localhost.", "LOCALHOST.", "app.localhost", "App.Localhost.", "a.b.localhost", "%6Cocalhost",
            hostName,
            hostName.uppercased(), hostName + ".", hostName + ".local", "127.0.0.1.",
        ]
        for host in names { try await assertIsPassedThrough(host) }
        let answer = try await answer("localhost")
        XCTAssertEqual(answer, "live")
    }

    func testOtherHostsAreNotLocalhost() async throws {
        let others = [
            "192.0.2.213", "128.0.0.1", "126.255.255.255", "1.2.3.4", "3232235777", "127.0.0.1.example.com",
            "notlocalhost", "localhost.example.com", "localhostx", "[2001:db8::1]", "[::ffff:192.0.2.213]",
            "[fe80::dead:beef]", "[::2]", "\(hostName).example.com", "x\(hostName)", "127.0.0.256",
        ]
        for host in others where !interfaceAddresses.contains(host) {
            let answer = try await answer(host)
            XCTAssertEqual(answer, "Rewind 1", host)
        }
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testAPortIncludesOnlyThatPort() async throws {
        let port = server.port
        for host in ["127.0.0.1", "[::1]", "0.0.0.0"] {
            for pattern in ["localhost", "\(host)", "\(host):\(port)", "localhost:\(port)", "*", "*:\(port)"] {
                try await assertIsPassedThrough(host, [pattern])
            }
            for pattern in ["\(host):\(port + 1)", "localhost:\(port + 1)", "*:1", "h"] {
                let answer = try await answer(host, [pattern])
                XCTAssertEqual(answer, "Rewind 1", "\(host) \(pattern)")
            }
        }
    }
}
