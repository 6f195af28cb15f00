import Foundation
import Rewind

/// Serves the requests of one connection on the calling thread until it is closed or idle.
struct Connection {
    let socket: Socket
    let activity: ConnectionActivity
    let context: ServerContext

    private static let interimResponse = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    enum End: Hashable {
        case closed
        /// The client sends no request at the moment.
        case idle
    }

    func serve() -> End {
        do {
            try socket.setSendTimeout(context.limits.sendTimeout)
            if try answerRequests() == .idle { return .idle }
        } catch let refusal as HTTPRefusal {
            if refusal == .encrypted { context.reportTLS(refusal) }
            let writer = HTTPResponseWriter(answering: nil, on: socket, activity, context)
            do {
                try writer.refuse(status: refusal.status, explanation: refusal.description)
            } catch {
                report(error)
            }
        } catch {
            report(error)
        }
        drain()
        socket.close()
        return .closed
    }

    private func report(_ error: any Error) { context.report("the server closed a connection", error) }

    private func answerRequests() throws -> End {
        var input = Input(context)
        while true {
            switch try nextEvent(&input) {
            case nil: return input.isIdle ? .idle : .closed
            case .continueExpected: try socket.send(Self.interimResponse)
            case .request(let request):
                context.counts.withLock { counts in
                    counts.requests += 1
                    counts.busyConnections += 1
                }
                defer { context.counts.withLock { $0.busyConnections -= 1 } }
                guard answer(request) else { return .closed }
                input.parser.releaseContent()
            }
        }
    }

    /// Calls the handler, and returns whether another request may follow on the connection.
    private func answer(_ request: HTTPServerRequest) -> Bool {
        let writer = HTTPResponseWriter(answering: request, on: socket, activity, context)
        do {
            try context.handler(request, writer)
        } catch {
            writer.fail(with: error)
        }
        return writer.conclude()
    }

    private struct Input {
        var parser: HTTPRequestParser
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        var timeout: Duration?
        var headStart: ContinuousClock.Instant?
        var contentStart: ContinuousClock.Instant?
        var isIdle = false

        init(_ context: ServerContext) {
            parser = HTTPRequestParser(limits: context.limits, budget: context.contentBudget)
        }
    }

    /// The next event; `nil` at the end of the connection or if it is idle.
    private func nextEvent(_ input: inout Input) throws -> HTTPRequestParser.Event? {
        let limits = context.limits
        defer { activity.endReceiving() }
        while true {
            if let event = try input.parser.next() {
                (input.headStart, input.contentStart) = (nil, nil)
                return event
            }
            try checkHead(&input)
            try checkContent(&input)
            let isBetweenRequests = input.parser.isBetweenRequests
            let wanted = isBetweenRequests ? limits.threadIdleTimeout : limits.receiveTimeout
            // Most requests arrive at once, so the timeout rarely changes.
            if input.timeout != wanted { try socket.setReceiveTimeout(wanted) }
            input.timeout = wanted
            do {
                let count = try socket.receive(into: &input.buffer)
                if count == 0, isBetweenRequests { return nil }
                if count == 0 { throw activity.isOver ? HTTPRefusal.slowest : .incompleteRequest }
                input.parser.append(input.buffer[..<count])
                activity.received(count)
            } catch SocketError.timedOut {
                guard isBetweenRequests else { throw HTTPRefusal.timedOut }
                input.isIdle = true
                return nil
            }
        }
    }

    /// Rejects a client that sends a head too slowly.
    private func checkHead(_ input: inout Input) throws {
        guard input.parser.isWithinHead else { return input.headStart = nil }
        let now = ContinuousClock.now
        guard let start = input.headStart else { return input.headStart = now }
        if now - start > context.limits.headTimeout { throw HTTPRefusal.timedOut }
    }

    /// Rejects a client that sends a body too slowly.
    private func checkContent(_ input: inout Input) throws {
        guard let count = input.parser.arrivingContent else { return input.contentStart = nil }
        let now = ContinuousClock.now
        guard let start = input.contentStart else { return input.contentStart = now }
        let limits = context.limits
        guard now - start > limits.contentGrace else { return }
        let rate = Double(count) / ((now - start) / .seconds(1))
        if rate < Double(limits.contentRate) { throw HTTPRefusal.tooSlow(rate: limits.contentRate) }
    }

    /// Ends the sending side and reads for up to two seconds. Closing with unread bytes would make the system send a reset,
    /// which can destroy the response on its way (RFC 9112 section 9.6).
    private func drain() {
        socket.finishSending()
        try? socket.setReceiveTimeout(.seconds(1))
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let deadline = ContinuousClock.now + .seconds(2)
        // If a new client needs the thread, this connection ends first.
        activity.received(0)
        while ContinuousClock.now < deadline, let count = try? socket.receive(into: &buffer), count > 0 {}
    }
}
