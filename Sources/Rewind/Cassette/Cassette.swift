/// A named, ordered list of interactions: what one test said to its servers and what came back.
///
/// ## Usage
/// ```swift
/// let cassette = try Cassette(contentsOf: url)
/// for interaction in cassette.interactions {
///     print(interaction.request.method, interaction.request.url)
/// }
/// ```
public struct Cassette: Hashable, Sendable {
    /// The interactions, in the order their requests were started.
    public var interactions: [Interaction]

    /// The members of the file that this package gives no meaning to, kept for a rewrite.
    package var unknownMembers: JSONObject

    /// Creates a cassette from interactions.
    /// - Parameter interactions: The interactions in the order they are to be played; none by default.
    public init(interactions: [Interaction] = []) {
        self.interactions = interactions
        self.unknownMembers = JSONObject()
    }
}
