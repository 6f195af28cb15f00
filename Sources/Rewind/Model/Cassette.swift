import Foundation

/// The HTTP interactions of one test, in order. A cassette is one file.
///
/// ```swift
/// let cassette = try Cassette(contentsOf: url)
/// for interaction in cassette.interactions {
///     print(interaction.request.method, interaction.request.url)
/// }
/// ```
public struct Cassette: Hashable, Sendable {
    /// The interactions, in the order in which their requests started.
    public var interactions: [Interaction]

    /// The rest of the file from which the interactions were read. A rewrite preserves it.
    @NotCompared package var surroundings = JSONObject()

    /// Creates a cassette from interactions.
    /// - Parameter interactions: The interactions in playback order; none by default.
    public init(interactions: [Interaction] = []) { self.interactions = interactions }
}

/// A property that does not affect the equality and the hash of its type.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Hashable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (left: NotCompared, right: NotCompared) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

/// The interactions of a cassette in recorded order, decoded on every access. A test often replays only a few of many
/// interactions, so a list answers some queries without decoding any.
package protocol InteractionList: Sendable {
    var count: Int { get }
    subscript(position: Int) -> Interaction { get }
    /// The parts of an interaction that answer a request. Its request may be the given one, and its date may be missing.
    func answer(at position: Int, to request: Interaction.Request) -> Interaction
    /// The request at a position. If headers are not wanted, a request without a body may lack them.
    func request(at position: Int, withHeaders: Bool) -> Interaction.Request
    /// The method and the URL of the request at a position.
    func line(at position: Int) -> (method: String, url: String)
    /// The URL and the start of the request at a position; `distantPast` if unknown.
    func beginning(at position: Int) -> (url: String, startedAt: Date)
    func isReplayable(at position: Int) -> Bool
    /// Whether any interaction lists redacted places.
    var listsRedactedPlaces: Bool { get }
}

extension InteractionList {
    package var indices: Range<Int> { 0..<count }
    package var all: [Interaction] { indices.map { self[$0] } }

    package func answer(at position: Int, to request: Interaction.Request) -> Interaction { self[position] }

    package func line(at position: Int) -> (method: String, url: String) {
        let request = request(at: position, withHeaders: false)
        return (request.method, request.url)
    }

    package func beginning(at position: Int) -> (url: String, startedAt: Date) {
        let interaction = self[position]
        return (interaction.request.url, interaction.startedAt)
    }
}

extension [Interaction]: InteractionList {
    package func request(at position: Int, withHeaders: Bool) -> Interaction.Request { self[position].request }
    package func isReplayable(at position: Int) -> Bool { self[position].isReplayable }
    package var listsRedactedPlaces: Bool { contains { !$0.redactedPlaces.isEmpty } }
}
