import Foundation
import Rewind

/// The lines that tell what was taken out of a cassette.
struct RedactionReport {
    private let redacted: RedactedCassette
    private let hidesMore: Bool

    /// Takes what is told of.
    /// - Parameters:
    ///   - redacted: The cassette without its secrets.
    ///   - hidesMore: Whether secrets were taken out of what stands beside the interactions.
    init(_ redacted: RedactedCassette, hidesMore: Bool) {
        self.redacted = redacted
        self.hidesMore = hidesMore
    }

    /// Whether nothing was taken out.
    var isEmpty: Bool { redacted.changes.isEmpty && !hidesMore }

    /// The number of interactions, in words.
    var summary: String {
        redacted.changes.isEmpty
            ? "secrets beside the interactions"
            : "secrets in " + Counted.text(redacted.changes.count, "interaction")
    }

    /// A line for each interaction, and one for what stands beside them.
    var lines: [String] {
        redacted.changes.map { change in
            let places = change.places.isEmpty ? "in places told before" : change.places.joined(separator: ", ")
            return VisibleText.line("  #\(change.number) \(change.request): \(places)")
        } + (hidesMore ? ["  beside the interactions: copies of the same secrets"] : [])
    }
}
