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

    /// What stands around the interactions in the file they were read from, kept for a rewrite.
    package var surroundings = JSONObject()

    /// Creates a cassette from interactions.
    /// - Parameter interactions: The interactions in the order they are to be played; none by default.
    public init(interactions: [Interaction] = []) {
        self.interactions = interactions
    }
}

extension Cassette {
    /// Compares the interactions; what stands around them in a file is no part of a cassette's value.
    public static func == (left: Cassette, right: Cassette) -> Bool {
        left.interactions == right.interactions
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(interactions)
    }
}
