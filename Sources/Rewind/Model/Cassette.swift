import Foundation

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
    public init(interactions: [Interaction] = []) { self.interactions = interactions }
}

extension Cassette {
    /// Compares the interactions; what stands around them in a file is no part of a cassette's value.
    public static func == (left: Cassette, right: Cassette) -> Bool {
        left.interactions == right.interactions
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(interactions) }
}

/// The interactions of a cassette in recorded order, each made when it is asked for.
///
/// A test plays few of the many that a cassette may hold. A list answers without making an interaction all that is needed
/// to find one, and keeps none: each access to an interaction of a file decodes its text again. Whoever needs one twice
/// keeps it.
package protocol InteractionList: Sendable {
    var count: Int { get }
    subscript(position: Int) -> Interaction { get }
    /// The interaction at a position as far as it answers: its request may be the one that is answered, and when it was
    /// recorded may be left out.
    func answer(at position: Int, to request: Request) -> Interaction
    /// The request at a position; one without a body may lack its header fields where they are not wanted.
    func request(at position: Int, withHeaders: Bool) -> Request
    /// The URL of the request at a position, and when it was started; `distantPast` where nothing tells.
    func beginning(at position: Int) -> (url: String, startedAt: Date)
    /// Whether the interaction at a position has something to answer a request with.
    func isReplayable(at position: Int) -> Bool
}

extension InteractionList {
    package var indices: Range<Int> { 0..<count }

    /// All interactions, each of which is made.
    package var all: [Interaction] { indices.map { self[$0] } }

    package func answer(at position: Int, to request: Request) -> Interaction { self[position] }

    package func beginning(at position: Int) -> (url: String, startedAt: Date) {
        let interaction = self[position]
        return (interaction.request.url, interaction.startedAt)
    }
}

extension [Interaction]: InteractionList {
    package func request(at position: Int, withHeaders: Bool) -> Request { self[position].request }
    package func isReplayable(at position: Int) -> Bool { self[position].isReplayable }
}
