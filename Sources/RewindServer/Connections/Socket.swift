import Foundation
import Rewind

#if canImport(Darwin)
    import Darwin
    private let streamType = SOCK_STREAM
    private let sendFlags: Int32 = 0
#elseif canImport(Glibc)
    import Glibc
    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let sendFlags = Int32(MSG_NOSIGNAL)
#elseif canImport(Musl)
    import Musl
    private let streamType = SOCK_STREAM
    private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// A stream socket. Its descriptor is closed exactly once, and never during a call that uses it.
///
/// All methods are thread-safe. `shutDown()` and `reset()` wake waiting calls.
package final class Socket: Sendable {
    private struct State {
        let descriptor: Int32
        var callsInProgress = 0
        var isClosed = false
    }

    private let state: Locked<State>

    // It does not throw, because the descriptor would then never be closed.
    private init(descriptor: Int32) {
        state = Locked(State(descriptor: descriptor))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close() }

    /// Opens a listening socket; port 0 selects a free port.
    package static func listening(host: String, port: UInt16) throws -> Socket {
        let listener = try stream()
        // Without this option, the port of a stopped server would be unusable for minutes.
        try listener.setOption(SO_REUSEADDR, to: Int32(1), attempt: "reuse the address")
        try listener.withAddress(host, port, attempt: "listen on \(host):\(port)") { bind($0, $1, $2) }
        try listener.withDescriptor { descriptor in
            try check(listen(descriptor, SOMAXCONN), "listen on \(host):\(port)")
            // If a connection disappears between `poll` and `accept`, `accept` must not block.
            try check(fcntl(descriptor, F_SETFL, O_NONBLOCK), "listen on \(host):\(port)")
        }
        return listener
    }

    package static func connected(host: String, port: UInt16) throws -> Socket {
        let socket = try stream()
        try socket.withAddress(host, port, attempt: "connect to \(host):\(port)") { connect($0, $1, $2) }
        return socket
    }

    package static func pair() throws -> (Socket, Socket) {
        var descriptors: [Int32] = [-1, -1]
        try check(socketpair(AF_UNIX, streamType, 0, &descriptors), "open a pair of sockets")
        let pair = (Socket(descriptor: descriptors[0]), Socket(descriptor: descriptors[1]))
        try pair.0.turnSignalsOff()
        try pair.1.turnSignalsOff()
        return pair
    }

    /// Accepts a waiting connection and disables Nagle's algorithm on it.
    package func acceptConnection() throws -> Socket {
        let descriptor = try withDescriptor { try check(accept($0, nil, nil), "accept a connection") }
        let connection = Socket(descriptor: descriptor)
        try connection.turnSignalsOff()
        try connection.withDescriptor { descriptor in
            // On some systems, connections inherit the non-blocking mode of the listening socket.
            try check(fcntl(descriptor, F_SETFL, 0), "accept a connection")
        }
        try connection.setOption(
            TCP_NODELAY,
            level: Int32(IPPROTO_TCP),
            to: Int32(1),
            attempt: "turn delays off"
        )
        return connection
    }

    /// Makes `receive` and `sendAtOnce` return instead of waiting.
    package func returnInsteadOfWaiting() { _ = try? withDescriptor { fcntl($0, F_SETFL, O_NONBLOCK) } }

    package var port: UInt16 {
        get throws {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            try withDescriptor { descriptor in
                let result = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        getsockname(descriptor, $0, &length)
                    }
                }
                try check(result, "find the port")
            }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Waits until some sockets are readable, which includes the end of a connection.
    /// - Returns: The positions of the readable sockets, empty after the timeout. A closed socket counts as readable.
    package static func waitUntilReadable(_ sockets: [Socket], atMost timeout: Duration? = nil) throws -> [Int]
    {
        var waits = sockets.map { socket in
            pollfd(fd: socket.borrowDescriptor() ?? -1, events: Int16(POLLIN), revents: 0)
        }
        defer {
            for (socket, wait) in zip(sockets, waits) where wait.fd >= 0 { socket.giveBackDescriptor() }
        }
        let hasClosed = waits.contains { $0.fd < 0 }
        try wait(&waits, waits.count, atMost: hasClosed ? .zero : timeout)
        return waits.indices.filter { waits[$0].fd < 0 || waits[$0].revents != 0 }
    }

    /// Waits for the first of some descriptors, and returns the number of those with an event; 0 after the timeout.
    @discardableResult
    static func wait(_ waits: inout [pollfd], _ count: Int, atMost timeout: Duration?) throws -> Int {
        let milliseconds = timeout.map { max(0, min($0 / .milliseconds(1), Double(Int32.max))) } ?? -1
        let limit = Int32(milliseconds.rounded(.up))
        return Int(try check(poll(&waits, .init(count), limit), "wait for a connection"))
    }

    /// The descriptor for `wait(_:_:atMost:)`. The socket must not be closed during the wait.
    var watchedDescriptor: Int32 { state.withLock { $0.isClosed ? -1 : $0.descriptor } }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Whether the connection is broken or closed in both directions. A peer that only finished sending is still connected.
    package var isGone: Bool {
        do {
            return try withDescriptor { descriptor in
                var wait = pollfd(fd: descriptor, events: 0, revents: 0)
                return try check(poll(&wait, 1, 0), "look at the connection") != 0
            }
        } catch {
            // If this is unknown, the next send will show it.
            return error as? SocketError == .closed
        }
    }

    /// Ends the receiving side. Bytes that arrived can still be read, and bytes can still be sent.
    package func finishReceiving() { _ = try? withDescriptor { shutdown($0, Int32(SHUT_RD)) } }

    /// Reads available bytes into a buffer and returns their number; 0 means that the peer ended its side.
    package func receive(into buffer: inout [UInt8]) throws -> Int {
        try withDescriptor { descriptor in
            let count = buffer.count
            return try check(recv(descriptor, &buffer, count, 0), "receive")
        }
    }

    package func send(_ bytes: Data) throws {
        try withDescriptor { descriptor in
            try bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let slice = UnsafeRawBufferPointer(rebasing: rest)
                    rest = rest.dropFirst(try check(transmit(descriptor, slice), "send"))
                }
            }
        }
    }

    /// Sends what the system takes at once, and returns the rest.
    func sendAtOnce(_ bytes: Data) throws -> Data {
        try withDescriptor { descriptor in
            let count = bytes.withUnsafeBytes { bytes in
                Result { try check(transmit(descriptor, bytes), "send") }
            }
            do {
                let count = try count.get()
                return count == bytes.count ? Data() : bytes.dropFirst(count)
            } catch SocketError.timedOut {
                return bytes
            }
        }
    }

    /// Sends bytes on a socket that returns instead of waiting, and waits for a client that does not read.
    func send(_ bytes: Data, waitingAtMost timeout: Duration) throws {
        var rest = bytes
        while !rest.isEmpty {
            let isReady = try withDescriptor { descriptor in
                var waits = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
                return try Self.wait(&waits, 1, atMost: timeout) > 0
            }
            guard isReady else { throw SocketError.timedOut(attempt: "send") }
            rest = try sendAtOnce(rest)
        }
    }

    package func setReceiveTimeout(_ timeout: Duration) throws {
        try setOption(SO_RCVTIMEO, to: timeval(timeout), attempt: "set the receive time-out")
    }

    package func setSendTimeout(_ timeout: Duration) throws {
        try setOption(SO_SNDTIMEO, to: timeval(timeout), attempt: "set the send time-out")
    }

    /// Ends the sending side. Bytes can still be received.
    package func finishSending() { _ = try? withDescriptor { shutdown($0, Int32(SHUT_WR)) } }

    /// Ends both directions and wakes waiting calls, without closing the descriptor.
    package func shutDown() { _ = try? withDescriptor { shutdown($0, Int32(SHUT_RDWR)) } }

    /// Closes the connection with a reset, which the peer sees as an error.
    package func reset() {
        try? setOption(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0), attempt: "reset")
        close(wakingCalls: true)
    }

    package func close() { close(wakingCalls: false) }

    private func close(wakingCalls: Bool) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            if state.callsInProgress == 0 {
                closeDescriptor(state.descriptor)
            } else if wakingCalls {
                _ = shutdown(state.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    private static func stream() throws -> Socket {
        let socket = Socket(descriptor: try check(socket(AF_INET, streamType, 0), "open a socket"))
        try socket.turnSignalsOff()
        return socket
    }

    /// Makes a send to a disconnected client fail instead of ending the process. On Linux, each send has a flag for this.
    private func turnSignalsOff() throws {
        #if canImport(Darwin)
            try setOption(SO_NOSIGPIPE, to: Int32(1), attempt: "turn signals off")
        #endif
    }

    /// Calls the body with the descriptor, which the last call on a closed socket closes.
    @discardableResult
    private func withDescriptor<Result>(_ body: (Int32) throws -> Result) throws -> Result {
        guard let descriptor = borrowDescriptor() else { throw SocketError.closed }
        defer { giveBackDescriptor() }
        return try body(descriptor)
    }

    private func borrowDescriptor() -> Int32? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.callsInProgress += 1
            return state.descriptor
        }
    }

    private func giveBackDescriptor() {
        state.withLock { state in
            state.callsInProgress -= 1
            if state.isClosed, state.callsInProgress == 0 { closeDescriptor(state.descriptor) }
        }
    }

    private func setOption<Value>(_ name: Int32, level: Int32 = SOL_SOCKET, to value: Value, attempt: String)
        throws
    {
        try withDescriptor { descriptor in
            try withUnsafeBytes(of: value) { bytes in
                let size = socklen_t(bytes.count)
                try check(setsockopt(descriptor, level, name, bytes.baseAddress, size), attempt)
            }
        }
    }

    private func withAddress(
        _ host: String,
        _ port: UInt16,
        attempt: String,
        call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw SocketError.invalidAddress(host) }

        try withDescriptor { descriptor in
            _ = try withUnsafePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try check(call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)), attempt)
                }
            }
        }
    }
}

/// Repeats a call that was interrupted by a signal, and throws other errors.
@discardableResult
private func check<Count: BinaryInteger>(
    _ call: @autoclosure () -> Count,
    _ attempt: @autoclosure () -> String
) throws -> Count {
    while true {
        let result = call()
        if result >= 0 { return result }
        switch errno {
        case EINTR: continue
        case EAGAIN, EWOULDBLOCK: throw SocketError.timedOut(attempt: attempt())
        case let code: throw SocketError.failed(attempt: attempt(), code: code)
        }
    }
}

private func transmit(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
}

private func closeDescriptor(_ descriptor: Int32) {
    // This is not repeated after an interruption: the descriptor is free by then and may belong to another file.
    _ = close(descriptor)
}

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: .init(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
    }
}

/// A failed socket call and its purpose.
package enum SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    case failed(attempt: String, code: Int32)
    /// The peer sent no data, or did not read data, within the timeout.
    case timedOut(attempt: String)
    case invalidAddress(String)
    case closed

    /// Whether the error only means that the peer disconnected or timed out.
    var isOfPeer: Bool {
        switch self {
        case .closed, .timedOut: true
        case .failed(_, let code): [EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ETIMEDOUT].contains(code)
        case .invalidAddress: false
        }
    }

    /// The reason without the attempt.
    var cause: String {
        if case .failed(_, let code) = self {
            "\(String(cString: strerror(code))) (error \(code))"
        } else {
            description
        }
    }

    package var description: String {
        switch self {
        case .failed(let attempt, _): "Could not \(attempt): \(cause)."
        case .timedOut(let attempt): "Could not \(attempt) in time."
        case .invalidAddress(let host): "\(host.debugDescription) is not an IPv4 address."
        case .closed: "The socket is closed."
        }
    }
}
