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

    /// The rest of the file the interactions were read from, which a rewrite repeats.
    @NotCompared package var surroundings = JSONObject()

    /// Creates a cassette from interactions.
    /// - Parameter interactions: The interactions in the order they are to be played; none by default.
    public init(interactions: [Interaction] = []) { self.interactions = interactions }

}

/// A property that takes no part in the equality and the hash of the type that stores it.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Hashable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (left: NotCompared, right: NotCompared) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

/// The interactions of a cassette in recorded order, each decoded on access and not kept. A test replays few of the
/// many interactions a cassette may hold, so a list can answer queries without decoding one.
package protocol InteractionList: Sendable {
    var count: Int { get }
    subscript(position: Int) -> Interaction { get }
    /// The interaction as far as needed to answer a request: its request may be the given one, its date may be missing.
    func answer(at position: Int, to request: Interaction.Request) -> Interaction
    /// The request at a position; one without a body may lack its headers if they are not wanted.
    func request(at position: Int, withHeaders: Bool) -> Interaction.Request
    /// The URL and the start of the request at a position; `distantPast` if unknown.
    func beginning(at position: Int) -> (url: String, startedAt: Date)
    func isReplayable(at position: Int) -> Bool
}

extension InteractionList {
    package var indices: Range<Int> { 0..<count }
    package var all: [Interaction] { indices.map { self[$0] } }

    package func answer(at position: Int, to request: Interaction.Request) -> Interaction { self[position] }

    package func beginning(at position: Int) -> (url: String, startedAt: Date) {
        let interaction = self[position]
        return (interaction.request.url, interaction.startedAt)
    }
}

extension [Interaction]: InteractionList {
    package func request(at position: Int, withHeaders: Bool) -> Interaction.Request { self[position].request }
    package func isReplayable(at position: Int) -> Bool { self[position].isReplayable }
}
