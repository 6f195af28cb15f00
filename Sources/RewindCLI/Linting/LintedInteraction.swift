import Foundation
import Rewind

/// An interaction that rules look at.
struct LintedInteraction {
    /// Its number on the cassette, counted from one.
    let number: Int
    /// The line on which it begins; `nil` where that is not known.
    let line: Int?
    /// The interaction.
    let interaction: Interaction
    /// The interaction without what its names say is secret, and the places where that was.
    let redacted: Interaction
    /// The paths of the files that it names for its bodies.
    let bodyPaths: BodyPaths

    /// Takes the secrets out of an interaction.
    init(_ interaction: Interaction, number: Int, line: Int?, _ redactor: Redactor) {
        self.number = number
        self.line = line
        self.interaction = interaction
        var plain = interaction
        plain.redactedPlaces = []
        // What is known of one would have to be looked for in all others.
        redacted = Redactor(forgetting: redactor).redact(plain)
        bodyPaths = Self.bodyPaths(of: interaction)
    }

    /// The number and the request, without anything that may be a secret.
    var title: String {
        ["#\(number)", redacted.request.method, safeURL].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func bodyPaths(of interaction: Interaction) -> BodyPaths {
        // Most entries name none, which their text tells quicker than their members.
        guard let original = interaction.original, original.text.range(of: Data("\"_file\"".utf8)) != nil,
            let members = interaction.originalMembers
        else { return BodyPaths(of: JSONObject()) }
        return BodyPaths(of: members)
    }

    private var safeURL: String {
        let url = redacted.request.url
        let scanner = CredentialScanner()
        func isSafe(_ text: String) -> Bool { scanner.findings(in: Data(text.utf8)).isEmpty }
        if isSafe(url) { return VisibleText.shortened(url, to: 200) }
        let start = String(url.prefix { $0 != "?" && $0 != "#" })
        return isSafe(start) ? VisibleText.shortened(start, to: 200) : "(its URL)"
    }
}
