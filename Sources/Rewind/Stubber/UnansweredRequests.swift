import Foundation

/// The requests of a recording that got no answer, compared with the cassette that the recording would replace.
///
/// A request that the app cancelled does not count, unless no request got an answer: then the app gave up waiting.
struct UnansweredRequests {
    /// The recorded interactions for whose requests the cassette has more of an answer.
    private(set) var lost: [Interaction] = []
    /// The failures of the network and of servers for whose requests the cassette has no interaction.
    private(set) var new: [Interaction] = []
    /// Whether any recorded request got an answer, or a part of one.
    let hasAnswers: Bool

    private var former: FormerInteractions

    /// Compares a recording with a cassette; both are redacted.
    init(
        of recorded: [Interaction],
        comparedWith former: [Interaction],
        matchers: [RequestMatcher]
    ) {
        self.former = FormerInteractions(former, matchers: matchers)
        let extents = AnswerExtent.extents(of: recorded)
        hasAnswers = extents.contains { $0 > .nothing }
        let judged = recorded.indices.filter { !hasAnswers || recorded[$0].failure?.isCancellation != true }
        var found: [Int: AnswerExtent] = [:]
        // The best answers first: if the app repeated a request until it got an answer, the failures before it are fine.
        for position in judged.sorted(by: { (extents[$1], $0) < (extents[$0], $1) }) {
            found[position] = self.former.take(for: recorded[position].request)
        }
        for position in judged {
            if let former = found[position] {
                if extents[position] < former { lost.append(recorded[position]) }
            } else if recorded[position].meansNoAnswer {
                new.append(recorded[position])
            }
        }
    }
}

/// The interactions of a cassette, each to be taken for one recorded request.
private struct FormerInteractions {
    private let extents: [AnswerExtent]
    private let index: InteractionIndex
    private var isTaken: [Bool]
    /// The positions of each group that may not be taken yet, the most complete answer last.
    private var rests: [Int: [Int]] = [:]

    init(_ interactions: [Interaction], matchers: [RequestMatcher]) {
        extents = AnswerExtent.extents(of: interactions)
        index = InteractionIndex(interactions, matchers: matchers)
        isTaken = Array(repeating: false, count: interactions.count)
    }

    /// Takes the interaction with the most complete answer to a request, and returns how complete it is.
    mutating func take(for request: Interaction.Request) -> AnswerExtent? {
        guard let place = index.place(of: request) else { return nil }
        let candidates = place.groups.compactMap { best(of: $0, for: request) }
        guard let best = candidates.max(by: { extents[$0] < extents[$1] }) else { return nil }
        isTaken[best] = true
        return extents[best]
    }

    private mutating func best(of group: InteractionIndex.Group, for request: Interaction.Request) -> Int? {
        var rest =
            rests.removeValue(forKey: group.number)
            ?? index.positions(of: group).sorted { (extents[$0], $1) < (extents[$1], $0) }
        while let last = rest.last, isTaken[last] { rest.removeLast() }
        defer { rests[group.number] = rest }
        return rest.last { !isTaken[$0] && index.agrees(request, at: $0) }
    }
}

extension CassetteSession {
    /// The reason why the recording must not become the cassette: requests that got no answer.
    func unansweredRequests(_ stubber: Stubber) -> Stubber.ScopeError? {
        let judged = recorded.judged
        guard judged.contains(where: { $0.failure != nil || $0.response?.isErrorOfRewindServer == true }) else {
            return nil
        }
        let replaces = policy == .replace || policy == .renew
        let unanswered = UnansweredRequests(
            of: judged.map(redactor.redact),
            comparedWith: replaces ? formerInteractions : [],
            matchers: stubber.configuration.matching
        )
        if !unanswered.lost.isEmpty {
            return .lostAnswers(unanswered.lost.map(stubber.printable), cassettePath: location.current.path)
        }
        // What `beforeRecord` drops is not saved anyway.
        guard !unanswered.hasAnswers, !unanswered.new.isEmpty, !recorded.finished.isEmpty else { return nil }
        return .noAnswers(unanswered.new.map(stubber.printable), cassettePath: location.destination.path)
    }

    /// The interactions of the file now: another process may have recorded it, or mode `live` did not open it.
    private var formerInteractions: [Interaction] {
        // A file that cannot be read is reported when the recording is saved.
        guard let cassette = try? CassetteFile(location).open() else { return [] }
        let interactions = cassette.interactions
        return cassette.isWrittenByOthers ? RedactedInteractions(interactions, redactor).all : interactions.all
    }
}

extension Stubber {
    /// An interaction for a message, without secrets.
    fileprivate func printable(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.request = printable(interaction.request)
        interaction.changeFailure { $0.changeTexts { printable($0) } }
        return interaction
    }
}
