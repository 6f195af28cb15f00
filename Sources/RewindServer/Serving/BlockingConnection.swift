import Foundation
import Rewind

/// Serves the requests of one connection on the thread that calls it.
struct BlockingConnection {
    let socket: Socket
    let limits: HTTPLimits
    let exchange: HTTPExchange
    let counts: Locked<ServerCounts>

    private static let interimAnswer = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Returns when the connection is closed.
    func serve() {
        defer { socket.close() }
        do {
            try socket.setSendTimeout(limits.sendTimeout)
            try answerRequests()
        } catch let refusal as HTTPRefusal {
            try? exchange.refuse(refusal, on: socket)
        } catch {
            // The connection itself failed, so that there is nobody to tell.
        }
        drain()
    }

    private func answerRequests() throws {
        var parser = HTTPRequestParser(limits: limits)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        var timeout: Duration?
        while let event = try nextEvent(of: &parser, buffer: &buffer, timeout: &timeout) {
            switch event {
            case .continueExpected:
                try socket.send(Self.interimAnswer)
            case .request(let request):
                counts.withLock { counts in
                    counts.requests += 1
                    counts.busyConnections += 1
                }
                defer { counts.withLock { $0.busyConnections -= 1 } }
                guard exchange.answer(request, on: socket) else { return }
            }
        }
    }

    /// The next event, or nothing when the client has no more requests.
    private func nextEvent(
        of parser: inout HTTPRequestParser,
        buffer: inout [UInt8],
        timeout: inout Duration?
    ) throws -> HTTPRequestParser.Event? {
        while true {
            if let event = try parser.next() { return event }
            let isIdle = parser.isBetweenRequests
            let wanted = isIdle ? limits.idleTimeout : limits.receiveTimeout
            // Most requests arrive in one piece, so that the time-out of an idle connection stays.
            if timeout != wanted { try socket.setReceiveTimeout(wanted) }
            timeout = wanted
            do {
                let count = try socket.receive(into: &buffer)
                if count == 0, isIdle { return nil }
                if count == 0 { throw HTTPRefusal.incompleteRequest }
                parser.append(buffer[..<count])
            } catch SocketError.timedOut {
                if isIdle { return nil }
                throw HTTPRefusal.timedOut
            }
        }
    }

    /// Ends the sending side first and reads on for two seconds at most.
    ///
    /// Closing with bytes unread would make the system send a reset that can destroy the answer on its way,
    /// as RFC 9112 section 9.6 warns.
    private func drain() {
        socket.finishSending()
        try? socket.setReceiveTimeout(.seconds(1))
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let deadline = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < deadline, let count = try? socket.receive(into: &buffer), count > 0 {}
    }
}

extension Socket: ResponseChannel {}
