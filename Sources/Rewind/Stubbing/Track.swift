/// An interaction at its place on a cassette.
///
/// It is a class because it is handed from hand to hand on the way to the app, and an interaction holds so much that
/// each copy would cost more than finding it.
package final class Track: Sendable {
    /// The interaction.
    package let interaction: Interaction
    /// Its place, counted from zero.
    package let position: Int

    /// Creates a track.
    package init(_ interaction: Interaction, at position: Int) {
        self.interaction = interaction
        self.position = position
    }
}
