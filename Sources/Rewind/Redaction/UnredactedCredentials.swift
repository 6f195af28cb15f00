import Foundation

/// What still looks like a credential on a cassette that was to be written.
public struct UnredactedCredentials: Error, Hashable, Sendable {
    /// One value that looks like a credential, without showing it.
    public struct Finding: Hashable, Sendable {
        /// The number of the interaction, counted from one.
        public var number: Int
        /// The request of the interaction.
        public var request: String
        /// Where in the interaction it stands.
        public var place: String
        /// What kind of credential it looks like.
        public var kind: String
        /// The first twelve digits of the value's SHA-256.
        public var fingerprint: String
    }

    /// The path of the file that was not written.
    public var path: String
    /// What was found.
    public var findings: [Finding]
    /// The journal in which what was recorded is kept without these values, if there is one.
    public var journal: KeptJournal?
}

extension UnredactedCredentials: LocalizedError, CustomStringConvertible {
    /// Where each stands, and what settles it.
    public var description: String {
        let shown = findings.prefix(8).map { finding in
            """
              #\(finding.number) \(finding.request)
                in the \(finding.place): looks like \(finding.kind), fingerprint \(finding.fingerprint)
                if it is no secret: configuration.redaction.allow("\(finding.fingerprint)")
            """
        }
        let rest = findings.count > shown.count ? ["  and \(findings.count - shown.count) more"] : []
        let head = "The cassette \(path) was not written, for it holds what looks like credentials:"
        let remedy = """
              If it is a secret, say where it stands: configuration.redaction.add(.field("name")), .header("Name"),
              .jsonPath("$.path") or .pattern("expression", name: "name"), and record the test again.
            """
        let kept = journal.map { ["  \($0.summary); these values are withheld there."] } ?? []
        return ([head] + shown + rest + [remedy] + kept).joined(separator: "\n")
    }

    /// Where each stands, and what settles it.
    public var errorDescription: String? { description }
}
