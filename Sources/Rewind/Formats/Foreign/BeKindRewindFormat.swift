import Foundation

/// The property list of BeKindRewind: scenes of frames, one for every event of a task.
///
/// A redirect becomes an interaction of its own, as in HAR. Its matchers compare URLs alone; the methods and bodies that
/// it recorded are read all the same:
///
/// ```swift
/// configuration.matching = [.url]
/// ```
package enum BeKindRewindFormat: CassetteFormat {
    /// The format's name.
    package static let name = "BeKindRewind"

    /// Whether the text is a property list with `scenes`.
    package static func recognizes(_ data: Data) -> Bool {
        PropertyListMark(data) == .scenes
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    package static func read(_ data: Data) throws -> Cassette {
        let field = try CassetteField(PropertyList(data), place: .root).required("scenes")
        guard let scenes = field.value.arrayValue else { throw field.problem("expected an array") }
        let read = try scenes.enumerated().map { index, scene in
            try BeKindRewindScene(CassetteField(scene, place: .entry(index)))
        }
        // Scenes are played in the order of their first frames.
        let ordered = read.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        return Cassette(interactions: try ordered.flatMap { try $0.element.interactions() })
    }
}
