/// In which order the interactions of a cassette are played.
public enum PlayOrder: String, Sendable, CaseIterable {
    /// Each request gets the recordings of its own kind in recorded order, whatever is asked in between.
    case perRequest
    /// Requests have to come in the order they were recorded in; one that comes out of turn is a miss that names the
    /// one that was due.
    case track
}
