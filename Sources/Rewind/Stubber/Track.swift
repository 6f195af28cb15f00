/// An interaction at its place on a cassette.
///
/// It is a class because it is handed from hand to hand on the way to the app, and an interaction holds so much that
/// each copy would cost more than finding it.
package final class Track: Sendable {
    private enum Source: Sendable {
        case made(Interaction)
        case reel(any InteractionList, answering: Request?)
    }

    /// Its place, counted from zero.
    package let position: Int
    private let source: Source

    /// Creates a track.
    package init(_ interaction: Interaction, at position: Int) {
        source = .made(interaction)
        self.position = position
    }

    /// Creates a track whose interaction is made when it is asked for, and not while others wait for the playhead.
    /// - Parameters:
    ///   - reel: What it is made from.
    ///   - position: Its place, counted from zero.
    ///   - request: The request that it answers, where no more of it than its answer is wanted.
    init(of reel: any InteractionList, at position: Int, answering request: Request?) {
        source = .reel(reel, answering: request)
        self.position = position
    }

    /// The interaction; one that is made when it is asked for is made each time.
    package var interaction: Interaction {
        switch source {
        case .made(let interaction): interaction
        case .reel(let reel, let request?): reel.answer(at: position, to: request)
        case .reel(let reel, nil): reel[position]
        }
    }
}
