import Foundation

@testable import Rewind

/// An archive says the same when it is opened and when it is read, and what is written is read back.
func fuzzHAR(_ data: Data) {
    _ = HARFormat.recognizes(data)
    guard let opened = try? HARFormat.open(data, attachments: nil) else { return }
    let list = opened.interactions
    hold((try? JSON(parsing: data)) != nil, "what is no JSON is opened")
    for position in list.indices {
        let interaction = list[position]
        hold(
            interaction.outcome != .unknown(reason: "the entry cannot be read"),
            "entry \(position) is not plain"
        )
        let request = list.request(at: position, withHeaders: true)
        hold(interaction.request.url.hasPrefix(request.url), "request \(position) differs")
        hold(
            list.answer(at: position, to: interaction.request).outcome == interaction.outcome,
            "answer \(position)"
        )
        hold(list.isReplayable(at: position) == interaction.isReplayable, "replayable \(position)")
    }
    let cassette = opened.cassette
    rewrite(cassette)
    var fresh = cassette
    for index in fresh.interactions.indices { fresh.interactions[index].original = nil }
    rewrite(fresh)
}

/// What is written can be read, says the same, and is written the same again.
private func rewrite(_ cassette: Cassette) {
    let text = HARFormat.write(cassette)
    do {
        let read = try HARFormat.read(text)
        hold(read.interactions.count == cassette.interactions.count, "a rewrite has another count")
        for (old, new) in zip(cassette.interactions, read.interactions) where old.isReplayable {
            hold(new.isReplayable, "a rewrite cannot be played")
            hold(old.outcome == new.outcome, "a rewrite differs: \(old.outcome) \(new.outcome)")
        }
        hold(HARFormat.write(read) == text, "a second rewrite differs")
    } catch {
        hold(false, "what was written is refused: \(error)")
    }
}
