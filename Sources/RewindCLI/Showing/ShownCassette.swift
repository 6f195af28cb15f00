import Foundation
import Rewind

/// The part of a cassette that is shown.
struct ShownCassette: Sendable {
    /// The path as it is told.
    let path: String
    /// The name of the format, where it is not the one that Rewind writes.
    let foreignFormat: String?
    /// The number of all interactions.
    let count: Int
    /// The interactions that are shown, with their numbers.
    let interactions: [(number: Int, interaction: Interaction)]

    /// Takes some interactions of a cassette.
    init(_ cassette: RecordedCassette, path: String, positions: Range<Int>) {
        self.path = VisibleText.line(path)
        foreignFormat = cassette.format is HARFormat.Type ? nil : cassette.format.name
        count = cassette.reel.count
        interactions = positions.map { ($0 + 1, cassette.reel[$0]) }
    }

    /// How much there is of everything, in a line.
    var totals: String {
        var hosts = HostList()
        for (_, interaction) in interactions { hosts.add(interaction.request.url) }
        let all = interactions.map(\.interaction)
        let bytes = all.reduce(0) { $0 + ($1.response?.body.count ?? 0) }
        let failures = all.count { $0.failure != nil }
        let redirects = all.count { $0.response?.redirectTarget != nil }
        let parts = [
            "\(Counted.text(all.count, "interaction")) with \(Counted.text(hosts.hosts.count, "host"))",
            failures > 0 ? "\(failures) failed" : "", redirects > 0 ? Counted.text(redirects, "redirect") : "",
            ByteCount(bytes).description + " received",
            TimeText.duration(milliseconds: Waterfall(all).busy) + " under way",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
