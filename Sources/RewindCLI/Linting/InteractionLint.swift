import Foundation
import Rewind

/// The rules that look at one interaction.
struct InteractionLint {
    /// What is wrong, by the rule that says so.
    typealias Problem = (rule: LintRule, message: String)

    private let settings: LintSettings
    private let folder: URL
    private let scanner: CredentialCheck
    /// Whether the requests of the cassette's format are patterns or not in the file at all.
    private let hasPatterns: Bool

    /// Creates the rules for a cassette in a folder.
    init(_ settings: LintSettings, in folder: URL, format: String) {
        self.settings = settings
        self.folder = folder
        scanner = CredentialCheck(allowing: settings.allowedFingerprints)
        hasPatterns = [CurlFormat.name, MocktailFormat.name].contains(format)
    }

    /// What is wrong with an interaction, and the fingerprints of all in it that looks like a credential.
    func problems(of linted: LintedInteraction) -> (problems: [Problem], fingerprints: [String]) {
        let found = scanner.findings(in: [linted.interaction])
        let problems =
            secrets(linted, found) + bodies(linted) + sizes(linted)
            + (hasPatterns ? [] : address(linted.redacted.request))
            + answer(linted)
        let titled = problems.map { (rule: $0.rule, message: "\(linted.title): \($0.message)") }
        return (titled, found.map(\.fingerprint))
    }

    /// What stands under secret names, and what else looks like a credential.
    private func secrets(_ linted: LintedInteraction, _ found: [UnredactedCredentials.Finding]) -> [Problem] {
        let named = linted.redacted.redactedPlaces.filter { $0 != Interaction.copiesOfSecrets }.map { place in
            (LintRule.secret, "the \(VisibleText.shortened(place)) holds what by its name is a secret")
        }
        guard !found.isEmpty else { return named }
        // What stands under a secret name is not told twice.
        let left = Set(scanner.findings(in: [linted.redacted]).map(\.fingerprint))
        return named
            + found.filter { left.contains($0.fingerprint) }.map { finding in
                (
                    .secret,
                    "the \(finding.place) looks like \(finding.kind), fingerprint \(finding.fingerprint)"
                )
            }
    }

    /// The files that are named and are not there.
    private func bodies(_ linted: LintedInteraction) -> [Problem] {
        let attachments = Attachments(in: folder)
        return linted.bodyPaths.all.filter { attachments.data(at: $0) == nil }.map { path in
            let root = folder.standardizedFileURL.pathComponents
            let file = folder.appendingPathComponent(path).standardizedFileURL.pathComponents
            let leadsOutside = !Attachments.accepts(path) || !file.starts(with: root)
            let cause =
                leadsOutside ? "leads out of the cassette's folder" : "cannot be read beside the cassette"
            return (.missingBody, "the body file \(VisibleText.shortened(path)) \(cause)")
        }
    }

    private func sizes(_ linted: LintedInteraction) -> [Problem] {
        let (interaction, paths) = (linted.interaction, linted.bodyPaths)
        let bodies = [
            ("request", interaction.request.body?.count ?? 0, paths.request),
            ("response", interaction.response?.body.count ?? 0, paths.response),
        ]
        return bodies.compactMap { message, count, path in
            let limit = settings.maximumBody(inFile: path != nil)
            guard count > limit.bytes else { return nil }
            let place = path == nil ? "in the cassette" : "in a file"
            return (
                .oversizedBody,
                "the \(message)'s body has \(ByteCount(count)) \(place), more than \(limit)"
            )
        }
    }

    /// Why no request can match.
    private func address(_ request: Request) -> [Problem] {
        if request.method.isEmpty { return [(.invalidURL, "the request has no method")] }
        if request.url.isEmpty { return [(.invalidURL, "the request has no URL")] }
        let parts = URLParts(request.url)
        let cause: String? =
            if parts.scheme.isEmpty {
                "the URL has no scheme"
            } else if parts.scheme != "http", parts.scheme != "https" {
                "the scheme \(VisibleText.shortened(parts.scheme, to: 20)) is not one of HTTP"
            } else if parts.host.isEmpty {
                "the URL has no host"
            } else if request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
                "the URL has white space or a control character"
            } else if URL(string: request.urlWithoutPlaceholders) == nil {
                "the URL cannot be read"
            } else {
                nil
            }
        return cause.map { [(.invalidURL, $0)] } ?? []
    }

    private func answer(_ linted: LintedInteraction) -> [Problem] {
        switch linted.interaction.outcome {
        case .response: []
        case .failure(let failure, _): [(.failure, "it ended with \(failure.line)")]
        case .unknown(let reason):
            // A request without a method and a file that is missing are told as such.
            linted.redacted.request.method.isEmpty || linted.redacted.request.url.isEmpty
                || linted.bodyPaths.all.contains(where: reason.contains)
                ? [] : [(.noAnswer, "it answers nothing, for \(VisibleText.shortened(reason))")]
        }
    }
}

extension Request {
    /// The URL with letters in place of the brackets of placeholders, which no URL has.
    fileprivate var urlWithoutPlaceholders: String {
        String(url.map { "<>".contains($0) ? "x" : $0 })
    }
}
