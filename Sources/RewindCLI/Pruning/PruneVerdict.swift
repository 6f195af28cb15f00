import Foundation
import Rewind

/// What is to become of one cassette.
enum PruneVerdict {
    /// No test used it.
    case unused(count: Int, size: Int)
    /// Tests used it, and did not play some of its interactions.
    case unplayed(UnplayedPart)
    /// Something would go, but something else speaks against it.
    case leftAlone(Part, reason: String)
    /// It stays.
    case used

    /// What would go of a cassette that is left alone.
    enum Part: String {
        case cassettes, interactions
    }

    /// Judges a cassette.
    /// - Throws: ``CassetteError`` where it cannot be read.
    init(of url: URL, by evidence: PruneEvidence) throws {
        let source = try CassetteSource(.file(url))
        let uses = evidence.uses(of: url)
        if uses.isEmpty {
            self = Self.unused(source, url, by: evidence)
        } else {
            self = Self.used(source, url, uses)
        }
    }

    private static func unused(_ source: CassetteSource, _ url: URL, by evidence: PruneEvidence) -> PruneVerdict
    {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        let changed = attributes?[.modificationDate] as? Date
        guard source.format == HARFormat.self else {
            let name = source.format.name
            return .leftAlone(.cassettes, reason: "no test used it, but it is \(name), which a stub may read")
        }
        guard let start = evidence.start else {
            return .leftAlone(.cassettes, reason: "no test used it, but the clock was set back since the run")
        }
        guard let changed, changed < start else {
            return .leftAlone(.cassettes, reason: "no test used it, but it changed after the run began")
        }
        if let test = evidence.failedTest {
            return .leftAlone(
                .cassettes,
                reason: "no test used it, but \(test) failed and may have ended before it did"
            )
        }
        return .unused(count: source.cassette.interactions.count, size: CassetteRewrite.size(of: url))
    }

    private static func used(
        _ source: CassetteSource,
        _ url: URL,
        _ uses: [(use: ManifestUse, play: ManifestPlay?)]
    ) -> PruneVerdict {
        let plays = uses.compactMap(\.play)
        let unplayed = UnplayedPart.positions(of: source.cassette, after: plays)
        guard !unplayed.isEmpty else { return .used }
        let reason =
            uses.lazy.compactMap { $0.use.reasonToStay($0.play) }.first
            ?? (source.format == HARFormat.self ? nil : "it is \(source.format.name), which is not rewritten")
            ?? (plays.contains { $0.checksum == source.checksum } ? nil : "it changed after the run")
        if let reason {
            let count = unplayed.count == 1 ? "1 interaction was" : "\(unplayed.count) interactions were"
            return .leftAlone(.interactions, reason: "\(count) not played, but \(reason)")
        }
        return .unplayed(UnplayedPart(of: source, url, at: unplayed))
    }
}

extension ManifestUse {
    /// Why what was not played in this use tells nothing; `nil` where it does.
    fileprivate func reasonToStay(_ play: ManifestPlay?) -> String? {
        guard let play else { return "\(name) never ended its use" }
        if play.failed { return "\(name) failed" }
        return play.plays ? nil : "\(name) did not play it, in mode \(play.mode)"
    }
}
