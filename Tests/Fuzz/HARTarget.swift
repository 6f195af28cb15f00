import Foundation

@testable import Rewind

/// An archive is read lazily and with care; both say the same, and what is written is read back.
func fuzzHAR(_ data: Data) {
    _ = HARFormat.recognizes(data)
    let careful = Result { try HARReader(data, nil).cassette() }
    if let reel = try? HARReel(data, nil) {
        guard case .success(let cassette) = careful else {
            return hold(false, "the reel reads what the reader refuses: \(careful)")
        }
        hold(reel.interactions == cassette.interactions, "the reel reads otherwise than the reader")
        hold(reel.surroundings == cassette.surroundings, "the surroundings differ")
        for (position, interaction) in cassette.interactions.enumerated() {
            let request = reel.request(at: position, withHeaders: true)
            hold(request == interaction.request, "request \(position) differs")
            hold(reel.answer(at: position, to: request).outcome == interaction.outcome, "answer \(position)")
            hold(reel.isReplayable(at: position) == interaction.isReplayable, "replayable \(position)")
        }
    }
    guard case .success(let cassette) = careful else { return }
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
