/// A cassette as it stands in a file, whose interactions are made when they are asked for.
package struct RecordedCassette: Sendable {
    /// The interactions, in recorded order.
    package let reel: any InteractionList
    /// What stands around them in the file, kept for a rewrite.
    let surroundings: JSONObject
    /// The format that the file is in.
    package internal(set) var format: any CassetteFormat.Type = HARFormat.self

    /// All of it as a plain value.
    package var cassette: Cassette {
        var cassette = Cassette(interactions: reel.interactions)
        cassette.surroundings = surroundings
        return cassette
    }

    /// The name under which this program signs an archive.
    static let creator = "Rewind"

    /// Whether another program wrote the file.
    package var isWrittenByOthers: Bool {
        surroundings["log"]?["creator"]?["name"]?.stringValue != Self.creator
    }
}

extension RecordedCassette {
    init(_ cassette: Cassette) {
        reel = cassette.interactions
        surroundings = cassette.surroundings
    }
}
