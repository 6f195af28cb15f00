import Foundation
import Rewind
import Testing

/// An interaction and the tempo it is played at.
struct Play {
    let interaction: Interaction
    let tempo: Double

    /// The whole response, where there is one.
    var response: Response? {
        if case .response(let response) = interaction.outcome { response } else { nil }
    }

    /// The body, or what had arrived of it, as text.
    var text: String { String(decoding: interaction.response?.body.data ?? Data(), as: UTF8.self) }

    /// The pieces of the body.
    var chunks: [Body.Chunk] { interaction.response?.body.chunks ?? [] }

    /// The times at which they come.
    var offsets: [Double] { chunks.map(\.offset) }
}

extension StubAnswer {
    /// What a call of the stub plays, of an answer that does not need the cassette.
    func play(_ method: String = "GET", call: Int = 0) throws -> Play {
        let request = Request(method: method, url: "https://example.com/a")
        guard case .play(let interaction, let tempo) = resolved(for: request, call: call) else {
            throw ResolvingError.isNotPlayed(outcome(call: call))
        }
        #expect(interaction.request == request)
        return Play(interaction: interaction, tempo: tempo)
    }

    /// What the stub makes of the cassette's answer.
    func shape(_ interaction: Interaction, tempo: Double = 0, call: Int = 0) throws -> Play {
        guard case .recorded(let shape) = resolved(for: interaction.request, call: call) else {
            throw ResolvingError.isNotPlayed(outcome(call: call))
        }
        let (shaped, tempo) = shape(interaction, tempo)
        return Play(interaction: shaped, tempo: tempo)
    }

    /// What a call gets, in a word that can be compared.
    func outcome(call: Int = 0) -> String {
        switch resolved(for: Request(url: "https://example.com/a"), call: call) {
        case .play(let interaction, _):
            interaction.failure.map { "\($0.code)" } ?? "\(interaction.response?.status ?? 0)"
        case .recorded: "recorded"
        case .passthrough: "passthrough"
        case .exhausted: "exhausted"
        case .broken(let problem): "broken: \(problem.cause)"
        }
    }
}

/// A step of a test that could not be taken.
enum ResolvingError: Error {
    case isNotPlayed(String)
}

extension Interaction {
    /// What a cassette has: a hundred bytes in four pieces.
    static let streamed = Interaction(
        request: Request(url: "https://example.com/a"),
        outcome: .response(
            Response(
                headers: ["Content-Type": "text/plain", "ETag": "\"1\""],
                body: Body(
                    Data((0..<100).map { UInt8($0) }),
                    chunks: [(0, 10), (100, 20), (100, 30), (400, 40)].map { Body.Chunk(offset: $0, count: $1) }
                )
            )
        ),
        startedAt: Date(timeIntervalSince1970: 1_700_000_000),
        timing: Timing(wait: 50, receive: 500)
    )
}
