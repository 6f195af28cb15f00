import Foundation
import Rewind

/// Sends the answer of an exchange to a client, each part as it comes.
struct ResponseSender {
    let request: @Sendable () -> Interaction.Request
    let client: ClientResponse
    let settings: RequestHandler.Settings
    let response: HTTPResponseWriter

    private(set) var status: Int?
    /// The head of an answer that is being sent or held.
    var head: Interaction.Response?
    /// The body of an answer that is held until it is whole; `nil` where it is sent piece by piece.
    var held: Data?

    /// Returns when the answer is sent; an error, as when the client has gone, cancels the exchange.
    mutating func send(_ exchange: DirectExchange) throws {
        do {
            while true {
                // A client that has gone is seen only by looking.
                let parts = exchange.takeParts(within: 0.25)
                if parts.isEmpty, response.isAbandoned { throw SocketError.closed }
                try send(parts)
                if parts.last?.isLast == true { return }
            }
        } catch {
            status = nil
            exchange.cancel()
            throw error
        }
    }

    /// Sends parts together.
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
        var whole = settings.responseTransformer.map { $0(request(), whole) } ?? whole
        if settings.rewritesBodies { whole = client.withLocalBody(whole) }
        guard isFinal(whole) else { return try explain(502, "\(whole.status) is no status of a final answer.") }
        status = whole.status
        try response.respondAsRecorded(
            status: whole.status,
            reason: whole.sendableReason,
            headers: client.headers(of: whole, isWhole: true),
            body: whole.body.data
        )
    }

    private mutating func begin(_ head: Interaction.Response) throws {
        guard isFinal(head) else { return held = Data() }
        self.head = head
        let isHeld = settings.responseTransformer != nil || settings.rewritesBodies && !head.isEventStream
        if isHeld { return held = Data() }
        status = head.status
        let headers = client.headers(of: head, isWhole: false)
        try response.begin(status: head.status, reason: head.sendableReason, headers: headers)
    }

    private mutating func add(_ data: Data) throws {
        if held == nil { return try response.write(local(data)) }
        held?.append(data)
    }

    /// Events are rewritten each by itself, for their stream may have no end.
    private func local(_ data: Data) -> Data {
        guard settings.rewritesBodies, let addresses = client.addresses else { return data }
        return addresses.local(text: data)
    }

    private mutating func end() throws {
        guard let held else { return try response.end() }
        guard var head else { return try explain(502, "The upstream sent no final answer.") }
        head.body = Interaction.Body(held)
        try sendWhole(head)
    }

    /// Reports a failure as far as it still can: after the head, only by breaking off where the answer did.
    private mutating func fail(_ failure: Interaction.Failure) throws {
        guard let head else {
            let cause = failure.message.isEmpty ? "" : "\(failure.message) "
            let isLate = failure.domain == NSURLErrorDomain && failure.code == NSURLErrorTimedOut
            return try explain(
                isLate ? 504 : 502,
                "\(request()) got no answer: \(cause)(\(failure.domain) \(failure.code))",
                headers: ["X-Rewind-Failure": "\(failure.code)"]
            )
        }
        status = nil
        if let held {
            try response.begin(status: head.status, headers: client.headers(of: head, isWhole: false))
            try response.write(held)
        }
        try response.breakOff()
    }

    private func isFinal(_ response: Interaction.Response) -> Bool { (200...999).contains(response.status) }

    // MARK: Answers of the server's own

    private mutating func refuse(_ miss: Miss) throws {
        if let answer = settings.unrecordedRequestHandler?(miss) { return try sendWhole(answer) }
        try explain(501, miss.description, headers: ["X-Rewind-Miss": miss.reason.word])
    }

    private mutating func explain(_ status: Int, _ text: String, headers: HeaderList = [:]) throws {
        self.status = status
        try response.refuse(status: status, explanation: "\(text)\n", headers: headers)
    }
}

extension Interaction.Response {
    fileprivate var isEventStream: Bool { MediaType(headers["Content-Type"])?.essence == "text/event-stream" }

    /// The reason phrase, where no text of it could become structure of the message.
    fileprivate var sendableReason: String? {
        statusText.withBytes { $0.allSatisfy(\.isFieldContent) } ? statusText : nil
    }
}
