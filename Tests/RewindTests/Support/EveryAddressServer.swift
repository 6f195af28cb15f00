import Foundation
import Rewind

#if canImport(Glibc)
    private let streamType = Int32(SOCK_STREAM.rawValue)
#else
    private let streamType = SOCK_STREAM
#endif

/// A real server on every address of this machine, IPv4 and IPv6, that counts its connections.
///
/// Each connection gets one answer, `live`, and is closed.
final class EveryAddressServer: Sendable {
    let port: Int
    private let listener: Int32
    private let connections = Locked(0)

    /// The number of connections that were opened, also of those without a request.
    var connectionCount: Int { connections.withLock { $0 } }

    init() throws {
        listener = socket(AF_INET6, streamType, 0)
        guard listener >= 0 else { throw SystemCallError("open", "a socket") }
        var off: Int32 = 0
        setsockopt(listener, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, SOMAXCONN) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw SystemCallError("listen on", "[::]") }
        port = Int(UInt16(bigEndian: address.sin6_port))
        Thread.detachNewThread { [connections] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                connections.withLock { $0 += 1 }
                Self.answer(connection)
            }
        }
    }

    deinit { stop() }

    /// Closes the port. Calling it again does nothing.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func answer(_ connection: Int32) {
        defer { close(connection) }
        var request = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while request.range(of: Data("\r\n\r\n".utf8)) == nil {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer[..<count]
        }
        let text =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlive"
        _ = text.utf8.withContiguousStorageIfAvailable { send(connection, $0.baseAddress, $0.count, 0) }
        shutdown(connection, Int32(SHUT_WR))
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
}
