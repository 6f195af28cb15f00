import Foundation

/// A part of an answer, in the order a door hands it to its client.
package enum AnswerPart: Sendable {
    /// A whole answer at once; nothing follows.
    case whole(Response)
    /// The head of a response, its body left out.
    case head(Response)
    /// A piece of its body.
    case piece(Data)
    /// The end of the body.
    case end
    /// A failure, before a head or after it; nothing follows.
    case failure(Failure)
    /// Nothing answers; nothing follows.
    case refusal(Miss)

    /// Whether nothing follows.
    package var isLast: Bool {
        switch self {
        case .head, .piece: false
        case .whole, .end, .failure, .refusal: true
        }
    }
}

extension AnswerPart {
    /// The whole of an interaction; `nil` where it is a failure, or takes time.
    init?(whole interaction: Interaction, tempo: Double) {
        guard tempo <= 0, case .response(let response) = interaction.outcome else { return nil }
        self = .whole(response)
    }
}

/// Where an answer comes from.
package enum AnswerSource: Hashable, Sendable {
    /// From the cassette, at a position counted from zero, or from a stub, which has none of its own.
    case cassette(position: Int)
    /// From the network, and it is recorded.
    case recorded
    /// From the network, and it is not recorded.
    case network
    /// From nowhere.
    case nowhere
}
