import Foundation

/// How a body comes through a link of limited speed: piece by piece, each when its last byte has come through.
struct Pace {
    /// The bytes that come through in a millisecond.
    let bytesPerMillisecond: Double

    /// The time between two pieces where the link is slow, in milliseconds, which OHHTTPStubs has as well.
    private static let interval = 250.0
    /// The number of pieces of a body, at most and in about, that had none of its own.
    private static let maximumPieces = 10_000

    /// Lets the body come through the link, none of its own pieces before its own time.
    func apply(to interaction: inout Interaction) {
        guard let body = interaction.response?.body, !body.isEmpty else { return }
        let size = pieceSize(of: body)
        var paced: [Body.Chunk] = []
        var free = 0.0
        for own in body.chunks.isEmpty ? [Body.Chunk(offset: 0, count: body.count)] : body.chunks {
            let start = max(free, own.offset)
            var sent = 0
            while sent < own.count {
                let count = min(size, own.count - sent)
                sent += count
                paced.append(Body.Chunk(offset: start + Double(sent) / bytesPerMillisecond, count: count))
            }
            free = start + Double(own.count) / bytesPerMillisecond
        }
        interaction.changeResponse { $0.body = Body(body.data, chunks: paced) }
        // A body in one piece has no chunk to tell its time: it comes at the end.
        interaction.timing.receive = max(interaction.timing.receive, free.roundedToThousandths)
    }

    /// Lets all that follows the head come within a time, evenly, whatever times it had.
    static func spread(_ interaction: inout Interaction, over milliseconds: Double) {
        interaction.timing.receive = 0
        interaction.changeOffsets { _ in 0 }
        if milliseconds > 0, let count = interaction.response?.body.count {
            Pace(bytesPerMillisecond: Double(count) / milliseconds).apply(to: &interaction)
        }
        interaction.timing.receive = milliseconds.roundedToThousandths
    }

    private func pieceSize(of body: Body) -> Int {
        let size = min(bytesPerMillisecond * Self.interval, Double(body.count))
        return max(1, Int(size), body.count / Self.maximumPieces)
    }
}
