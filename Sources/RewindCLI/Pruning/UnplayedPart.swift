import Foundation
import Rewind

/// The interactions of a cassette that no test played, and the cassette without them.
struct UnplayedPart {
    /// The interactions, by number counted from one, without secrets.
    let requests: [(number: Int, request: Request)]
    /// The cassette without them, ready to be written.
    let rewrite: CassetteRewrite
    /// The bytes that go.
    let size: Int

    init(of source: CassetteSource, _ url: URL, at positions: [Int]) {
        let redactor = Redactor(.default)
        let interactions = source.cassette.interactions
        requests = positions.map { (number: $0 + 1, request: redactor.redact(interactions[$0].request)) }
        var rest = source.cassette
        let unplayed = Set(positions)
        rest.interactions = interactions.indices.filter { !unplayed.contains($0) }.map { interactions[$0] }
        rewrite = CassetteRewrite(rest, to: url, from: source.folder)
        size = max(0, CassetteRewrite.size(of: url) - rewrite.size)
    }

    /// The positions of the interactions that were neither played nor recorded, as far as the uses of a cassette tell.
    ///
    /// Where the cassette changed between two uses, a request that stood at another place keeps all that are like it.
    static func positions(of cassette: Cassette, after plays: [ManifestPlay]) -> [Int] {
        let fingerprints = cassette.interactions.map { RequestFingerprint($0.request) }
        var played: Set<Int> = []
        var kept: Set<RequestFingerprint> = []
        for play in plays {
            kept.formUnion(play.recorded)
            for position in play.played {
                let isThere =
                    fingerprints.indices.contains(position.position)
                    && fingerprints[position.position] == position.request
                if isThere { played.insert(position.position) } else { kept.insert(position.request) }
            }
        }
        return fingerprints.indices.filter { !played.contains($0) && !kept.contains(fingerprints[$0]) }
    }
}
