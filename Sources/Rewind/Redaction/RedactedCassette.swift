import Foundation

/// A cassette whose secrets were taken out, and what there is to tell of that.
package struct RedactedCassette: Sendable {
    /// An interaction out of which something was taken.
    package struct Change: Hashable, Sendable {
        /// The number of the interaction, counted from one.
        package let number: Int
        /// Its request, without secrets.
        package let request: Request
        /// Where something was taken out of it.
        package let places: [String]
    }

    /// The cassette without its secrets; what stands beside its interactions may still have them.
    package let cassette: Cassette
    /// Knows the secrets that were found.
    package let redactor: Redactor
    /// The interactions out of which something was taken.
    package let changes: [Change]
    /// What still looks like a credential in them.
    package let findings: [UnredactedCredentials.Finding]

    private let check: CredentialCheck?

    /// Takes the secrets out of a cassette.
    package init(_ cassette: Cassette, _ redaction: Redaction) {
        let before = cassette.interactions
        let redactor = Redactor(redaction) { Placeholder.placeholders(in: before) }
        let after = redactor.redact(before)
        var redacted = cassette
        redacted.interactions = after
        self.cassette = redacted
        self.redactor = redactor
        changes = zip(before, after).enumerated().compactMap { position, pair in
            guard pair.0 != pair.1 else { return nil }
            let places = pair.1.redactedPlaces.filter { !pair.0.redactedPlaces.contains($0) }
            return Change(number: position + 1, request: pair.1.request, places: places)
        }
        check = redaction.credentialCheck
        findings = check?.findings(in: after) ?? []
    }

    /// What still looks like a credential in the text of a file that holds the cassette, with the lines they are in:
    /// unknown members may hold what no interaction does.
    package func findings(in document: Data) -> [(line: Int, finding: CredentialFinding)] {
        var (line, position) = (1, document.startIndex)
        // The findings stand in order, so that each line is counted once.
        return (check?.scanner.findings(in: document) ?? []).map { finding in
            let end = document.startIndex + finding.range.lowerBound
            line += document[position..<end].count { $0 == UInt8(ascii: "\n") }
            position = end
            return (line, finding)
        }
    }
}

/// The interactions of a list, without the secrets of their requests.
package struct RedactedInteractions: InteractionList {
    private let list: any InteractionList
    /// The requests, which are redacted in recorded order, so that the numbers of placeholders are always the same.
    private let requests: [Request]

    /// Takes the secrets out of all requests.
    package init(_ list: any InteractionList, _ redactor: Redactor) {
        self.list = list
        requests = list.indices.map { redactor.redact(list.request(at: $0, withHeaders: true)) }
    }

    /// The number of interactions.
    package var count: Int { requests.count }

    /// The interaction at a position.
    package subscript(position: Int) -> Interaction {
        var interaction = list[position]
        interaction.request = requests[position]
        return interaction
    }

    /// As much of the interaction at a position as answers a request.
    package func answer(at position: Int, to request: Request) -> Interaction {
        list.answer(at: position, to: request)
    }

    /// The request at a position.
    package func request(at position: Int, withHeaders: Bool) -> Request { requests[position] }

    /// The redacted URL of the request at a position, and when it was started.
    package func beginning(at position: Int) -> (url: String, startedAt: Date) {
        (requests[position].url, list.beginning(at: position).startedAt)
    }

    /// Whether the interaction at a position has something to answer a request with.
    package func isReplayable(at position: Int) -> Bool { list.isReplayable(at: position) }
}
