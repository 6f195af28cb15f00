import Foundation
import Rewind

/// A request that a cassette server answered, for those who tell of it.
package struct ServedRequest: Sendable {
    /// The method.
    package let method: String
    /// The target as the client sent it.
    package let target: String
    /// The status of the answer; `nil` where the client had gone or the answer broke off.
    package let status: Int?
    /// Where the answer came from.
    package let source: AnswerSource
}

extension Miss.Reason {
    /// The word for the case in the field `X-Rewind-Miss`.
    var word: String {
        switch self {
        case .noCassette: "no-cassette"
        case .recordingForbidden: "recording-forbidden"
        case .readOnly: "read-only"
        case .noMatch: "no-match"
        case .alreadyPlayed: "already-played"
        case .outOfTurn: "out-of-turn"
        case .noStub: "no-stub"
        case .networkForbidden: "network-forbidden"
        case .stubExhausted: "stub-exhausted"
        case .brokenStub: "broken-stub"
        case .testOver: "stopped"
        case .paused: "paused"
        case .notRouted: "not-routed"
        case .unreadableBody: "unreadable-body"
        case .unsupported, .unsupportedTask: "unsupported"
        }
    }
}
