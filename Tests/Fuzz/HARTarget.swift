import Foundation

@testable import Rewind

/// An archive has the same content with lazy and complete parsing, and a written archive can be read.
func fuzzHAR(_ data: Data) {
    _ = HARFormat.recognizes(data)
    guard let opened = try? HARFormat.open(data, attachments: nil) else { return }
    let list = opened.interactions
    check((try? JSON(parsing: data)) != nil, "invalid JSON is opened")
    for position in list.indices {
        let interaction = list[position]
        check(
            interaction.outcome != .unknown(reason: "the entry cannot be read"),
            "entry \(position) cannot be read"
        )
        let request = list.request(at: position, withHeaders: true)
        check(interaction.request.url.hasPrefix(request.url), "request \(position) is different")
        check(
            list.answer(at: position, to: interaction.request).outcome == interaction.outcome,
            "answer \(position) is different"
        )
        check(
            list.isReplayable(at: position) == interaction.isReplayable,
            "isReplayable of \(position) is different"
        )
    }
    let cassette = opened.cassette
    rewrite(cassette)
    var fresh = cassette
    for index in fresh.interactions.indices { fresh.interactions[index].original = nil }
    rewrite(fresh)
}

/// A written cassette can be read, has the same content, and is written the same again.
private func rewrite(_ cassette: Cassette) {
    let text = HARFormat.write(cassette)
    do {
        let read = try HARFormat.read(text)
        check(
            read.interactions.count == cassette.interactions.count,
            "a rewritten cassette has another number of interactions"
        )
        for (old, new) in zip(cassette.interactions, read.interactions) where old.isReplayable {
            check(new.isReplayable, "a rewritten interaction cannot be replayed")
            check(
                old.outcome == new.outcome,
                "a rewritten interaction is different: \(old.outcome) \(new.outcome)"
            )
        }
        check(HARFormat.write(read) == text, "a second rewrite is different")
    } catch {
        check(false, "the written cassette is rejected: \(error)")
    }
}
