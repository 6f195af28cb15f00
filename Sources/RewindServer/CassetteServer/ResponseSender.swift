import Foundation
import Rewind

/// Sends the answer of an exchange to a client, each part when it arrives.
struct ResponseSender {
    let request: @Sendable () -> Interaction.Request
    let client: ClientResponse
    let settings: RequestHandler.Settings
    let response: HTTPResponseWriter
    let stubber: Stubber

    /// Called once, with the status, or with `nil` if the client did not get a complete response. It is called before the
    /// end of a small response is sent, because the client may then send its next request.
    var didServe: ((Int?) -> Void)?

    private(set) var status: Int?
    /// The head of the response that is being sent or collected.
    var head: Interaction.Response?
    /// The body of a response that is sent when complete; `nil` if it is sent in parts.
    var collected: Data?
    /// Whether the response is being recorded. Its end is then sent after the journal has it, or is about to.
    private(set) var isRecorded = false

    /// Returns when the response is sent. An error, such as a disconnected client, cancels the exchange.
    mutating func send(_ exchange: DirectExchange) throws {
        do {
            while true {
                // A disconnect is only noticed by checking for it.
                let parts = exchange.takeParts(within: 0.25)
                if parts.isEmpty, response.isAbandoned { throw SocketError.closed }
                isRecorded = isRecorded || exchange.source == .recorded
                try send(parts)
                if parts.last?.isLast == true { return }
            }
        } catch {
            status = nil
            exchange.cancel()
            throw error
        }
    }

    /// Sends several parts with one write.
    mutating func send(_ parts: [AnswerPart]) throws {
        if parts.count == 1 { return try send(parts[0]) }
        try response.gather { for part in parts { try send(part) } }
    }

    private mutating func send(_ part: AnswerPart) throws {
        switch part {
        case .whole(let whole): try sendWhole(whole)
        case .head(let head): try begin(head)
        case .piece(let data): try add(data)
        case .end: try end()
        case .failure(let failure): try fail(failure)
        case .refusal(let miss): try refuse(miss)
        }
    }

    // MARK: Responses

    private mutating func sendWhole(_ whole: Interaction.Response) throws {
        var whole =
            settings.responseTransformer.map { change in stubber.run { change(request(), whole) } } ?? whole
        if settings.rewritesBodies { whole = client.withLocalBody(whole) }
        guard isFinal(whole) else {
            return try explain(502, "The response has the invalid status \(whole.status). Expected 200–999.")
        }
        status = whole.status
        if whole.body.count <= Self.smallBody { reportEnd() }
        try response.respondAsRecorded(
            status: whole.status,
            reason: whole.sendableReason,
            headers: client.headers(of: whole, isWhole: true),
            body: whole.body.data
        )
    }

    private mutating func begin(_ head: Interaction.Response) throws {
        guard isFinal(head) else { return collected = Data() }
        self.head = head
        let isCollected = settings.responseTransformer != nil || settings.rewritesBodies && !head.isEventStream
        if isCollected { return collected = Data() }
        status = head.status
        let headers = client.headers(of: head, isWhole: false)
        try response.begin(
            status: head.status,
            reason: head.sendableReason,
            headers: headers,
            holdsEnd: isRecorded
        )
    }

    private mutating func add(_ data: Data) throws {
        if collected == nil { return try response.write(local(data)) }
        collected?.append(data)
    }

    /// The data with local addresses. Events are rewritten one by one, because their stream may never end.
    private func local(_ data: Data) -> Data {
        guard settings.rewritesBodies, let addresses = client.addresses else { return data }
        return addresses.local(text: data)
    }

    private mutating func end() throws {
        guard let collected else {
            reportEnd()
            return try response.end()
        }
        guard var head else { return try explain(502, "The upstream did not send a final response.") }
        head.body = Interaction.Body(collected)
        try sendWhole(head)
    }

    /// Reports a failure. After the head was sent, all that remains is to end the connection at the same byte.
    private mutating func fail(_ failure: Interaction.Failure) throws {
        guard let head else {
            let code = "\(failure.domain) \(failure.code)"
            let cause = failure.message.isEmpty ? code : "\(failure.message.withoutFullStop) (\(code))"
            let isLate = failure.domain == NSURLErrorDomain && failure.code == NSURLErrorTimedOut
            return try explain(
                isLate ? 504 : 502,
                "No response to \(stubber.printable(request())): \(cause).",
                headers: ["X-Rewind-Failure": "\(failure.code)"]
            )
        }
        status = nil
        if let collected {
            try response.begin(status: head.status, headers: client.headers(of: head, isWhole: false))
            try response.write(collected)
        }
        try response.breakOff()
    }

    /// Tells how the request was answered, unless that was done before.
    mutating func reportEnd() {
        didServe?(status)
        didServe = nil
    }

    /// A client can disconnect while a larger body is sent.
    private static let smallBody = 64 * 1024

    private func isFinal(_ response: Interaction.Response) -> Bool { (200...999).contains(response.status) }

    // MARK: Error responses

    private mutating func refuse(_ miss: Miss) throws {
        if let handler = settings.unrecordedRequestHandler {
            stubber.removeMiss(miss)
            if let answer = stubber.run({ handler(miss) }) { return try sendWhole(answer) }
        }
        try explain(501, miss.description, headers: ["X-Rewind-Miss": miss.reason.headerValue])
    }

    private mutating func explain(_ status: Int, _ text: String, headers: HeaderList = [:]) throws {
        self.status = status
        reportEnd()
        try response.refuse(status: status, explanation: "\(stubber.printable(text))\n", headers: headers)
    }
}

extension Interaction.Response {
    fileprivate var isEventStream: Bool { MediaType(headers["Content-Type"])?.essence == "text/event-stream" }

    /// The reason phrase; `nil` if it contains characters that would break the message format.
    fileprivate var sendableReason: String? {
        statusText.withBytes { $0.allSatisfy(\.isFieldContent) } ? statusText : nil
    }
}
