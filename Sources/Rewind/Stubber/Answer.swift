/// What the stubber decided about a request; every door for requests acts on the same decision.
package enum Answer: Sendable {
    /// The interaction is the answer, its times multiplied by the tempo: none of them where that is zero.
    case play(Track, tempo: Double)
    /// Code of the test is still to say what the answer is; it is cancelled with the request.
    case compute(@Sendable () async -> Answer)
    /// The network answers; the recording, if there is one, wants to know how it went.
    case forward(Recording?, shape: Shape?)
    /// Nothing answers.
    case refuse(Miss)

    /// What a stub makes of an interaction that would have been played at a tempo.
    package typealias Shape = StubAnswer.ResponseTransform
}
