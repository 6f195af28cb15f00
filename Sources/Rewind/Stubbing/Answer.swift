/// What the stubber decided about a request; every door for requests acts on the same decision.
package enum Answer: Sendable {
    /// The recorded interaction is the answer.
    case replay(Track)
    /// The network answers; the recording, if there is one, wants to know how it went.
    case forward(Recording?)
    /// Nothing answers.
    case refuse(Miss)
}
