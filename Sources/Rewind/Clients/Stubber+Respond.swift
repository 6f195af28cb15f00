import Foundation

extension Stubber {
    /// Answers a request of any HTTP client: from a stub or the cassette, or by the client, whose answer is then recorded.
    ///
    /// Call it where a client sends its requests. Everything that applies to requests of a `URLSession` applies to this one:
    /// modes, matching, redaction, stubs, misses and the log.
    ///
    /// ```swift
    /// let response = try await stubber.respond(to: request) { request in
    ///     try await client.send(request)
    /// }
    /// ```
    ///
    /// Requests that `live` makes itself go to the network. They are neither recorded nor answered.
    /// - Parameters:
    ///   - request: The request as the client would send it, with secrets.
    ///   - live: Sends the request and returns the response. It is called only if the network is to answer, with `request`
    ///     unchanged, in the task of the caller, and at most once.
    /// - Returns: The response.
    /// - Throws: ``Miss`` if nothing answers the request. While recording, the error of `live`; on replay, an error that is
    ///   equal to it if it was a `URLError`, a `CancellationError` if it was one or the request was cancelled, and otherwise
    ///   an `NSError` with its domain, code and description.
    public func respond(
        to request: Interaction.Request,
        live: @Sendable (Interaction.Request) async throws -> Interaction.Response
    ) async throws -> Interaction.Response {
        if Route.isLive { return try await live(request) }
        let pending = pendingWork.begin()
        return try await ClientRequest(request, to: self).answer(pending) { request in
            Interaction.StreamedResponse(try await live(request))
        }.whole
    }

    /// Answers a request of any HTTP client whose bodies are streams.
    ///
    /// The body of the request is read before the request is answered, because matching and recording need it. The body of
    /// the response is passed on piece by piece while it arrives: `live` delivers no faster than you read. A recording
    /// contains each piece with its time, and ``Configuration/timing`` decides about the pace of the replay.
    ///
    /// A body that you stop reading before its end is recorded as a request that was cancelled at that point.
    /// - Parameters:
    ///   - request: The request. If it has a body, `body` replaces it; if `body` has no bytes either, the request has an empty
    ///     body.
    ///   - body: The body of the request; without bytes, the request has none.
    ///   - live: Sends the request and returns the response when its head has arrived. It is called only if the network is to
    ///     answer, with `request` unchanged and a body with the same pieces.
    /// - Returns: The response, whose body can be read once.
    /// - Throws: ``Miss`` if nothing answers the request. The error of `live`, as `respond(to:live:)` describes; the body of
    ///   the response throws one that comes later. The error of `body`.
    public func respond(
        to request: Interaction.Request,
        body: Interaction.BodyStream,
        live:
            @Sendable (Interaction.Request, Interaction.BodyStream) async throws -> Interaction.StreamedResponse
    ) async throws -> Interaction.StreamedResponse {
        if Route.isLive { return try await live(request, body) }
        // The end of the test waits for the request from now on, until it is decided.
        let pending = pendingWork.begin()
        let (sent, replayable) = try await request.reading(body)
        return try await ClientRequest(sent, to: self).answer(pending) { _ in
            try await live(request, replayable)
        }
    }

    /// Answers a request of any HTTP client by the stubber of the running test.
    ///
    /// It finds the stubber as a `URLSession` does: that of the task, or that of the only running test. Without a test that
    /// has a cassette or stubs, it calls `live`.
    ///
    /// ```swift
    /// let response = try await Stubber.respond(to: request) { request in
    ///     try await client.send(request)
    /// }
    /// ```
    /// - Parameters:
    ///   - request: The request as the client would send it, with secrets.
    ///   - live: Sends the request and returns the response.
    /// - Returns: The response.
    /// - Throws: ``Miss`` if nothing answers the request, or if it could belong to any of several running tests. The error of
    ///   `live`, as `respond(to:live:)` describes.
    public static func respond(
        to request: Interaction.Request,
        live: @Sendable (Interaction.Request) async throws -> Interaction.Response
    ) async throws -> Interaction.Response {
        guard let stubber = try responsible(for: request) else { return try await live(request) }
        return try await stubber.respond(to: request, live: live)
    }

    /// Answers a request of any HTTP client whose bodies are streams, by the stubber of the running test.
    ///
    /// Without a test that has a cassette or stubs, it passes both bodies through without reading them.
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body of the request; without bytes, the request has none.
    ///   - live: Sends the request and returns the response when its head has arrived.
    /// - Returns: The response, whose body can be read once.
    /// - Throws: ``Miss`` if nothing answers the request, or if it could belong to any of several running tests. The errors
    ///   of `live` and of `body`.
    public static func respond(
        to request: Interaction.Request,
        body: Interaction.BodyStream,
        live:
            @Sendable (Interaction.Request, Interaction.BodyStream) async throws -> Interaction.StreamedResponse
    ) async throws -> Interaction.StreamedResponse {
        guard let stubber = try responsible(for: request) else { return try await live(request, body) }
        return try await stubber.respond(to: request, body: body, live: live)
    }

    /// The stubber that answers the running code; `nil` if its requests go to the network.
    private static func responsible(for request: Interaction.Request) throws -> Stubber? {
        switch Route.destination {
        case .stubber(let route): return route.stubber
        case .network: return nil
        case .nowhere(let tests):
            let miss = Miss(
                .unknownTest(running: tests),
                request: Redactor(.default).redact(request),
                identity: nil
            )
            DecisionLog.note(miss)
            throw miss
        }
    }
}

extension Interaction.Request {
    /// Reads the whole body of the request.
    /// - Returns: The request with its body, and a stream with the same pieces, which can be read again.
    fileprivate func reading(_ stream: Interaction.BodyStream) async throws -> (
        Interaction.Request, Interaction.BodyStream
    ) {
        var content: Interaction.Body
        if case .whole(let whole) = stream.content {
            content = whole
        } else {
            var data = Data()
            var pieces: [Interaction.Body.Chunk] = []
            for try await piece in stream where !piece.isEmpty {
                data.append(piece)
                pieces.append(Interaction.Body.Chunk(offset: 0, count: piece.count))
            }
            // Some sequences end without an error if their reader is cancelled.
            try Task.checkCancellation()
            content = Interaction.Body(data, chunks: pieces)
        }
        var request = self
        if !content.isEmpty || body != nil { request.body = Interaction.Body(content.data) }
        return (request, Interaction.BodyStream(.whole(content)))
    }
}
