import Foundation

/// The frames of one task, in the order of their times.
struct BeKindRewindScene {
    private let field: PropertyListField
    private let frames: [BeKindRewindFrame]

    /// The time of the first frame.
    var start: Double { frames.first?.seconds ?? .infinity }

    init(_ field: PropertyListField) throws {
        self.field = try field.object()
        let frames = try field.required("frames").elements().compactMap { try BeKindRewindFrame($0) }
        self.frames = frames.enumerated().sorted { left, right in
            (left.element.seconds, left.offset) < (right.element.seconds, right.offset)
        }.map(\.element)
    }

    /// An interaction for every redirect and one for the end of the task.
    func interactions() throws -> [Interaction] {
        guard var request = try firstRequest() else { throw field.problem("a scene needs a request") }
        var interactions: [Interaction] = []
        for frame in frames where frame.kind == .redirect {
            let response = try frame.field.object("response").map(BeKindRewindFrame.response)
            let outcome = response.map { Interaction.Outcome.response($0) }
            interactions.append(
                interaction(request, outcome ?? .unknown(reason: "the redirect has no response"), until: frame)
            )
            request = try frame.field.object("request").map(BeKindRewindFrame.request) ?? request
        }
        return interactions + [try last(request)]
    }

    /// The request as it was made, with the fields that the system added before it was sent.
    private func firstRequest() throws -> Request? {
        let requests = frames.filter(\.isRequest)
        guard var request = try requests.first.map({ try BeKindRewindFrame.request($0.field) }) else {
            return nil
        }
        for frame in requests.dropFirst().prefix(while: { $0.url == request.url }) {
            for header in try BeKindRewindFrame.request(frame.field).headers
            where request.headers[header.name] == nil {
                request.headers.append(header.name, header.value)
            }
        }
        return request
    }

    /// What the task ended with.
    private func last(_ request: Request) throws -> Interaction {
        guard let index = frames.lastIndex(where: { $0.kind == .response }) else {
            let end = frames.last { !$0.isRequest } ?? frames[frames.count - 1]
            return interaction(request, try outcome(nil), until: end)
        }
        let end = frames[index]
        let pieces = pieces(after: index)
        var response = try BeKindRewindFrame.response(end.field)
        response.body = try body(pieces, since: end.seconds)
        let receive = max(0, (pieces.last?.seconds ?? end.seconds) - end.seconds) * 1000
        return interaction(request, try outcome(response), until: end, receive: receive)
    }

    /// The data after the last response: a response may come twice, and what came between is then sent again.
    ///
    /// Early files have the same time for all frames, and their order is all there is.
    private func pieces(after index: Int) -> [BeKindRewindFrame] {
        let data = frames.filter { $0.kind == .data }
        let later = data.filter { $0.seconds > frames[index].seconds }
        return later.isEmpty ? frames[index...].filter { $0.kind == .data } : later
    }

    private func body(_ pieces: [BeKindRewindFrame], since start: Double) throws -> Body {
        var data = Data()
        var chunks: [Body.Chunk] = []
        for piece in pieces {
            let bytes = try piece.field["data"]?.data() ?? Data()
            guard !bytes.isEmpty else { continue }
            data += bytes
            chunks.append(.init(offset: max(0, piece.seconds - start) * 1000, count: bytes.count))
        }
        return Body(data, chunks: chunks)
    }

    private func outcome(_ response: Response?) throws -> Interaction.Outcome {
        if let error = frames.last(where: { $0.kind == .error })?.field {
            let message = try error.object("userInfo")?["NSLocalizedDescription"]
            return .failure(try error.failure(message: message), after: response)
        }
        guard let response else { return .unknown(reason: "the scene has no response") }
        return response.status > 0 ? .response(response) : .unknown(reason: "the response is not one of HTTP")
    }

    /// The wait is counted from the last request before the end that has the URL of the end.
    private func interaction(
        _ request: Request,
        _ outcome: Interaction.Outcome,
        until end: BeKindRewindFrame,
        receive: Double = 0
    ) -> Interaction {
        let requests = frames.filter { $0.isRequest && $0.seconds <= end.seconds }
        let begin =
            (requests.last { $0.url == end.url || $0.url == request.url } ?? requests.last)?.seconds ?? start
        return Interaction(
            request: request,
            outcome: outcome,
            startedAt: RecordedDate.date(begin),
            timing: .init(wait: max(0, end.seconds - begin) * 1000, receive: receive)
        )
    }
}
