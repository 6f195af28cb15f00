import Foundation

/// A redacted cassette, and a list of the changes.
package struct RedactedCassette: Sendable {
    package struct Change: Hashable, Sendable {
        /// The number of the interaction, counted from 1.
        package let number: Int
        /// The redacted request.
        package let request: Interaction.Request
        package let places: [String]
    }

    /// The redacted cassette. Text outside the interactions may still contain copies of secrets.
    package let cassette: Cassette
    package let redactor: Redactor
    package let changes: [Change]
    /// The values that still look like credentials.
    package let findings: [CassetteError.Finding]
    /// Whether secrets were found outside the interactions.
    package let changesSurroundings: Bool
    private let check: CredentialCheck?

    package init(_ cassette: Cassette, _ redaction: Redaction) {
        let before = cassette.interactions
        let redactor = Redactor(redaction) { Placeholder.placeholders(in: before) }
        var redacted = cassette
        // First, because interactions may contain copies of what they reveal.
        redacted.surroundings = redactor.redact(surroundings: cassette.surroundings)
        let after = redactor.redact(before)
        redacted.interactions = after
        changesSurroundings = redacted.surroundings != cassette.surroundings
        self.cassette = redacted
        self.redactor = redactor
        changes = zip(before, after).enumerated().compactMap { position, pair in
            guard pair.0 != pair.1 else { return nil }
            let known = Set(pair.0.redactedPlaces)
            let places = pair.1.redactedPlaces.filter { !known.contains($0) }
            return Change(number: position + 1, request: pair.1.request, places: places)
        }
        check = redaction.credentialCheck
        findings = check?.findings(in: after) ?? []
    }

    /// Searches the text of the cassette's file, because members that Rewind does not know may contain secrets too.
    package func findings(in document: Data) -> [(line: Int, finding: CredentialFinding)] {
        var (line, position) = (1, document.startIndex)
        // The findings are in order, so each line is counted once.
        return (check?.scanner.findings(in: document) ?? []).map { finding in
            let end = document.startIndex + finding.range.lowerBound
            line += document[position..<end].count { $0 == UInt8(ascii: "\n") }
            position = end
            return (line, finding)
        }
    }
}

package struct RedactedInteractions: InteractionList {
    private let list: any InteractionList
    /// The requests, redacted in recorded order so that the numbers of placeholders are always the same.
    private let requests: [Interaction.Request]

    package init(_ list: any InteractionList, _ redactor: Redactor) {
        self.list = list
        requests = list.indices.map { redactor.redact(list.request(at: $0, withHeaders: true)) }
    }

    package var count: Int { requests.count }

    package subscript(position: Int) -> Interaction {
        var interaction = list[position]
        interaction.request = requests[position]
        return interaction
    }

    package func answer(at position: Int, to request: Interaction.Request) -> Interaction {
        list.answer(at: position, to: request)
    }

    package func request(at position: Int, withHeaders: Bool) -> Interaction.Request { requests[position] }

    package func line(at position: Int) -> (method: String, url: String) {
        (requests[position].method, requests[position].url)
    }

    package func beginning(at position: Int) -> (url: String, startedAt: Date) {
        (requests[position].url, list.beginning(at: position).startedAt)
    }

    package func isReplayable(at position: Int) -> Bool { list.isReplayable(at: position) }

    package var listsRedactedPlaces: Bool { list.listsRedactedPlaces }
}
