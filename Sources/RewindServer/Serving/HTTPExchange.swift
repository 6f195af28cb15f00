/// One request and its answer, whatever kind of connection carries them.
struct HTTPExchange: Sendable {
    let handler: HTTPServer.Handler
    /// Is told what no client can be told.
    let listener: @Sendable (ServerTrouble) -> Void

    /// Has the handler answer, and says whether another request may follow on the connection.
    func answer(_ request: HTTPServerRequest, on channel: any ResponseChannel) -> Bool {
        let writer = HTTPResponseWriter(answering: request, on: channel, listener)
        do {
            try handler(request, writer)
        } catch {
            writer.fail(with: error)
        }
        return writer.conclude()
    }

    /// Tells the client why its bytes are not taken; no request may follow.
    func refuse(_ refusal: HTTPRefusal, on channel: any ResponseChannel) throws {
        try HTTPResponseWriter(answering: nil, on: channel, listener)
            .refuse(status: refusal.status, explanation: refusal.description)
    }
}
