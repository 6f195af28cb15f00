import Foundation
import Testing

@testable import Rewind

/// The interaction and the time scale of an answer.
struct Play {
    let interaction: Interaction
    let timeScale: Double

    /// The complete response, if there is one.
    var response: Interaction.Response? {
        if case .response(let response) = interaction.outcome { response } else { nil }
    }

    /// The body, or the part that arrived, as text.
    var text: String { String(decoding: interaction.response?.body.data ?? Data(), as: UTF8.self) }

    /// The chunks of the body.
    var chunks: [Interaction.Body.Chunk] { interaction.response?.body.chunks ?? [] }

    /// The times of the chunks.
    var offsets: [Double] { chunks.map(\.offset) }
}

extension StubAnswer {
    /// What a call of the stub plays. The answer must not need the cassette.
    func play(_ method: String = "GET", call: Int = 0, filePath: StaticString = #filePath) throws -> Play {
        let request = Interaction.Request(method: method, url: "https://example.com/a")
        let answer = readingFiles(from: filePath)
        guard case .play(let interaction, let timeScale) = answer.resolved(for: request, call: call) else {
            throw ResolvingError.isNotPlayed(outcome(call: call, filePath: filePath))
        }
        #expect(interaction.request == request)
        return Play(interaction: interaction, timeScale: timeScale)
    }

    /// A recorded interaction after the transform of the stub.
    func transform(_ interaction: Interaction, timeScale: Double = 0, call: Int = 0) throws -> Play {
        guard case .recorded(let transform) = resolved(for: interaction.request, call: call) else {
            throw ResolvingError.isNotPlayed(outcome(call: call))
        }
        let (changed, timeScale) = transform(interaction, timeScale)
        return Play(interaction: changed, timeScale: timeScale)
    }

    /// The outcome of a call as a comparable word.
    func outcome(call: Int = 0, filePath: StaticString = #filePath) -> String {
        let request = Interaction.Request(url: "https://example.com/a")
        return switch readingFiles(from: filePath).resolved(for: request, call: call) {
        case .play(let interaction, _):
            interaction.failure.map { "\($0.code)" } ?? "\(interaction.response?.status ?? 0)"
        case .recorded: "recorded"
        case .passthrough: "passthrough"
        case .exhausted: "exhausted"
        case .invalid(let problem): "invalid: \(problem.cause)"
        }
    }

    /// The answer of a stub in a source file.
    func readingFiles(from filePath: StaticString) -> StubAnswer {
        readingFiles(at: Stub.SourceLocation("Tests/Tests.swift", filePath, 1))
    }
}

/// An unexpected kind of answer.
enum ResolvingError: Error {
    case isNotPlayed(String)
}

extension Interaction {
    /// A recorded interaction: a hundred bytes in four chunks.
    static let streamed = Interaction(
        request: Interaction.Request(url: "https://example.com/a"),
        outcome: .response(
            Interaction.Response(
                headers: ["Content-Type": "text/plain", "ETag": "\"1\""],
                body: Interaction.Body(
                    Data((0..<100).map { UInt8($0) }),
                    chunks: [(0, 10), (100, 20), (100, 30), (400, 40)].map {
                        Interaction.Body.Chunk(offset: $0, count: $1)
                    }
                )
            )
        ),
        startedAt: Date(timeIntervalSince1970: 1_700_000_000),
        timing: Timing(wait: 50, receive: 500)
    )
}
