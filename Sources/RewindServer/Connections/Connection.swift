import Foundation
import Rewind

/// A connection, and what has arrived of its next request.
final class Connection: @unchecked Sendable {
    // Sound as @unchecked Sendable: only the thread that serves the connection uses the variables. The lock of `Leadership`
    // or `ConnectionLane` is taken whenever another thread continues.

    let socket: Socket
    let activity = ConnectionActivity()
    /// When the connection is closed if nothing arrives before.
    private(set) var deadline = ContinuousClock.now
    /// The place among the connections that wait for a request; `nil` if it is not one of them.
    var place: Int?
    /// Until when the connection waits for the client to close it; `nil` if requests may follow.
    private(set) var endDeadline: ContinuousClock.Instant?

    private let context: ServerContext
    private let handOver: @Sendable (Connection) -> Void
    private var parser: HTTPRequestParser
    private var headStart: ContinuousClock.Instant?
    private var contentStart: ContinuousClock.Instant?
    /// The size of what arrived of the next request and `activity` does not know.
    private var arrivedCount = 0
    private var isIncomplete = false
    private var failure: (any Error)?
    private var keepsThread = false

    private static let interimResponse = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    static let bufferSize = 16 * 1024

    enum State: Hashable {
        /// The client sends no request at the moment.
        case idle
        /// The rest of a request has not arrived, or was not read.
        case incomplete
        /// No request follows, and the client has not ended its side.
        case ending
        case closed
    }

    /// Creates a connection. `handOver` is called before its thread waits, so that another one serves the others.
    init(_ socket: Socket, _ context: ServerContext, handOver: @escaping @Sendable (Connection) -> Void) {
        self.socket = socket
        self.context = context
        self.handOver = handOver
        parser = HTTPRequestParser(limits: context.limits, budget: context.contentBudget)
    }

    /// Reads what has arrived, without waiting for it. If the result is `incomplete`, there may be requests to answer.
    func receive(into buffer: inout [UInt8]) -> State {
        do {
            let count = try socket.receive(into: &buffer)
            if endDeadline != nil { return count == 0 ? .closed : .ending }
            guard count > 0 else {
                if parser.isBetweenRequests { return .closed }
                throw activity.isOver ? HTTPRefusal.slowest : .incompleteRequest
            }
            arrivedCount += count
            parser.append(buffer[..<count])
            return .incomplete
        } catch SocketError.timedOut {
            return endDeadline != nil ? .ending : parser.isBetweenRequests ? .idle : .incomplete
        } catch {
            if endDeadline != nil { return .closed }
            // The response to it is sent by `answer()`, as it may have to wait for the client.
            failure = error
            return .incomplete
        }
    }

    /// Answers the requests that were read.
    func answer() -> State {
        do {
            if let failure { throw failure }
            while let event = try parser.next() {
                endReceiving()
                switch event {
                case .continueExpected: try send(Self.interimResponse)
                case .request(let request):
                    guard answer(request) else { return end() }
                    parser.releaseContent()
                }
            }
        } catch {
            return end(after: error)
        }
        if parser.isBetweenRequests { return .idle }
        activity.received(arrivedCount)
        isIncomplete = true
        arrivedCount = 0
        return .incomplete
    }

    /// Continues on a thread of its own until a request is complete and answered. If handlers wait, also until the
    /// connection is idle for a while, because the next request will need the thread again.
    func serve(from state: State, readingInto buffer: inout [UInt8]) -> State {
        var state = state
        while state == .incomplete || state == .idle && keepsThread {
            do {
                guard try waitForMore(after: state) else { break }
                state = receive(into: &buffer)
            } catch {
                failure = error
                state = .incomplete
            }
            if state == .incomplete { state = answer() }
        }
        endReceiving()
        keepsThread = false
        return state
    }

    /// Waits until more arrives. Returns `false` if the connection stays idle.
    private func waitForMore(after state: State) throws -> Bool {
        try checkHead()
        try checkContent()
        let limits = context.limits
        let timeout = state == .idle ? limits.threadIdleTimeout : limits.receiveTimeout
        if try !Socket.waitUntilReadable([socket], atMost: timeout).isEmpty { return true }
        if state == .incomplete { throw HTTPRefusal.timedOut }
        return false
    }

    private func endReceiving() {
        arrivedCount = 0
        guard isIncomplete else { return }
        isIncomplete = false
        activity.endWait()
        (headStart, contentStart) = (nil, nil)
    }

    /// Calls the handler, and returns whether another request may follow on the connection.
    private func answer(_ request: HTTPServerRequest) -> Bool {
        context.counts.withLock { counts in
            counts.requests += 1
            counts.busyConnections += 1
        }
        defer { context.counts.withLock { $0.busyConnections -= 1 } }
        let writer = HTTPResponseWriter(answering: request, on: self, context)
        do {
            try context.handler(request, writer)
        } catch {
            writer.fail(with: error)
        }
        return writer.conclude()
    }

    // MARK: Waiting

    /// Called when the connection waits for its client.
    func idle() {
        let now = ContinuousClock.now
        deadline = endDeadline ?? now + context.limits.idleTimeout
        // A connection on which no request follows is the first to end if there is no room.
        activity.idle(since: endDeadline == nil ? now : now - .seconds(3600))
    }

    /// Called by a handler before it waits, for example for another server.
    func willWait() {
        keepsThread = true
        handOver(self)
    }

    /// Sends bytes. If the client does not read them, waits for it.
    func send(_ bytes: Data) throws {
        let rest = try socket.sendAtOnce(bytes)
        if rest.isEmpty { return }
        handOver(self)
        try activity.send { try socket.send(rest, waitingAtMost: context.limits.sendTimeout) }
    }

    /// Rejects a client that sends a head too slowly.
    private func checkHead() throws {
        guard parser.isWithinHead else { return headStart = nil }
        let now = ContinuousClock.now
        guard let start = headStart else { return headStart = now }
        if now - start > context.limits.headTimeout { throw HTTPRefusal.timedOut }
    }

    /// Rejects a client that sends a body too slowly.
    private func checkContent() throws {
        guard let count = parser.arrivingContent else { return contentStart = nil }
        let now = ContinuousClock.now
        guard let start = contentStart else { return contentStart = now }
        let limits = context.limits
        guard now - start > limits.contentGrace else { return }
        let rate = Double(count) / ((now - start) / .seconds(1))
        if rate < Double(limits.contentRate) { throw HTTPRefusal.tooSlow(rate: limits.contentRate) }
    }

    // MARK: Ending

    private func end(after error: any Error) -> State {
        if let refusal = error as? HTTPRefusal {
            if refusal == .encrypted { context.reportTLS(refusal) }
            let writer = HTTPResponseWriter(answering: nil, on: self, context)
            do {
                try writer.refuse(status: refusal.status, explanation: refusal.description)
            } catch {
                report(error)
            }
        } else {
            report(error)
        }
        return end()
    }

    private func report(_ error: any Error) { context.report("the server closed a connection", error) }

    /// Ends the sending side. The rest of what the client sends is read and dropped: closing with unread bytes would make
    /// the system send a reset, which can destroy the response on its way (RFC 9112 section 9.6).
    private func end() -> State {
        if endDeadline == nil { context.counts.withLock { $0.endingConnections += 1 } }
        endDeadline = .now + context.limits.closeTimeout
        parser.releaseContent()
        socket.finishSending()
        return socket.isClosed ? .closed : .ending
    }
}
