import Foundation
import Rewind

/// Finds problems in one interaction.
struct InteractionLint {
    typealias Problem = (rule: LintRule, message: String)

    private let settings: LintSettings
    private let folder: URL
    private let scanner: CredentialCheck
    /// Whether the format stores patterns of requests, or none.
    private let hasPatterns: Bool

    init(_ settings: LintSettings, in folder: URL, format: String) {
        self.settings = settings
        self.folder = folder
        scanner = settings.redaction.credentialCheck ?? CredentialCheck()
        hasPatterns = [CurlFormat.name, MocktailFormat.name].contains(format)
    }

    func problems(of linted: LintedInteraction) -> (problems: [Problem], fingerprints: [String]) {
        let found = scanner.findings(in: [linted.interaction])
        let problems =
            secrets(linted, found) + bodies(linted) + sizes(linted)
            + (hasPatterns ? [] : address(linted.redacted.request))
            + answer(linted)
        // The title is searched for secrets, so it is created once.
        let title = problems.isEmpty ? "" : linted.title
        let titled = problems.map { (rule: $0.rule, message: "\(title): \($0.message)") }
        return (titled, found.map(\.fingerprint))
    }

    /// Values with secret names, and other values that look like credentials.
    private func secrets(_ linted: LintedInteraction, _ found: [CassetteError.Finding]) -> [Problem] {
        let named = linted.redacted.redactedPlaces.filter { $0 != Interaction.copiesOfSecrets }.map { place in
            (LintRule.secret, "the \(VisibleText.shortened(place)) is not redacted")
        }
        let known = linted.unredactedValues.map { name in
            (LintRule.secret, "the value of \(name) is not redacted")
        }
        guard !found.isEmpty else { return named + known }
        // A value with a secret name is not reported twice.
        let left = Set(scanner.findings(in: [linted.redacted]).map(\.fingerprint))
        return named + known
            + found.filter { left.contains($0.fingerprint) }.map {
                (.secret, "the \($0.place) looks like \($0.kind), fingerprint \($0.fingerprint)")
            }
    }

    private func bodies(_ linted: LintedInteraction) -> [Problem] {
        let attachments = Attachments(in: folder)
        return linted.bodyPaths.all.filter { attachments.data(at: $0) == nil }.map { path in
            let root = folder.standardizedFileURL.pathComponents
            let file = folder.appendingPathComponent(path).standardizedFileURL.pathComponents
            let leadsOutside = !Attachments.accepts(path) || !file.starts(with: root)
            let cause =
                leadsOutside ? "is outside the folder of the cassette" : "cannot be read"
            return (.missingBody, "the body file \(VisibleText.shortened(path)) \(cause)")
        }
    }

    private func sizes(_ linted: LintedInteraction) -> [Problem] {
        let (interaction, paths) = (linted.interaction, linted.bodyPaths)
        let bodies = [
            ("request", interaction.request.body?.count ?? 0, paths.request),
            ("response", interaction.recordedResponse?.body.count ?? 0, paths.response),
        ]
        return bodies.compactMap { message, count, path in
            let limit = settings.maximumBody(inFile: path != nil)
            guard count > limit.bytes else { return nil }
            let place = path == nil ? "in the cassette" : "in its own file"
            return (
                .oversizedBody, "the \(message) body \(place) has \(ByteCount(count)); the limit is \(limit)"
            )
        }
    }

    private func address(_ request: Interaction.Request) -> [Problem] {
        let parts = URLParts(request.url)
        let cause: String? =
            if request.method.isEmpty {
                "the request has no method"
            } else if request.url.isEmpty {
                "the request has no URL"
            } else if parts.scheme.isEmpty {
                "the URL has no scheme"
            } else if parts.scheme != "http", parts.scheme != "https" {
                "the URL scheme \(VisibleText.shortened(parts.scheme, to: 20)) is not http or https"
            } else if parts.host.isEmpty {
                "the URL has no host"
            } else if request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
                "the URL contains whitespace or a control character"
            } else if URL(string: String(request.url.map { "<>".contains($0) ? "x" : $0 })) == nil {
                // Angle brackets of placeholders are not valid in URLs.
                "the URL is malformed"
            } else {
                nil
            }
        return cause.map { [(.invalidURL, $0)] } ?? []
    }

    private func answer(_ linted: LintedInteraction) -> [Problem] {
        switch linted.interaction.outcome {
        case .response: []
        case .failure(let failure, _): [(.failure, "the request failed with \(failure.line)")]
        case .unknown(let reason):
            // A request without a method and a missing file are reported by other rules.
            linted.redacted.request.method.isEmpty || linted.redacted.request.url.isEmpty
                || linted.bodyPaths.all.contains(where: reason.contains)
                ? []
                : [
                    (
                        .noAnswer,
                        "no response to replay: \(VisibleText.shortened(linted.interaction.obstacle ?? reason))"
                    )
                ]
        }
    }
}

/// A value that must not be in a cassette, whatever its name.
struct KnownValue {
    let name: String
    let redactor: Redactor

    static func all(of redaction: Redaction) -> [KnownValue] {
        redaction.knownValues.map { placeholder, redaction in
            let name = placeholder.trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
            return KnownValue(name: name, redactor: Redactor(redaction))
        }
    }
}

/// An interaction with what the rules need to know about it.
struct LintedInteraction {
    let number: Int
    /// The line on which it begins; `nil` if unknown.
    let line: Int?
    let interaction: Interaction
    /// The interaction without values of secret names, with the places of those values.
    let redacted: Interaction
    /// The names of the known values that it contains.
    let unredactedValues: [String]
    let bodyPaths: BodyPaths

    init(
        _ interaction: Interaction,
        number: Int,
        line: Int?,
        _ redactor: Redactor,
        values: [KnownValue] = []
    ) {
        self.number = number
        self.line = line
        self.interaction = interaction
        var plain = interaction
        plain.redactedPlaces = []
        var names: [String] = []
        for value in values {
            let edited = value.redactor.redact(plain)
            guard edited != plain else { continue }
            names.append(value.name)
            plain = edited
            plain.redactedPlaces = []
        }
        unredactedValues = names
        // A redactor that remembered secrets would search every other interaction for them.
        redacted = Redactor(forgetting: redactor).redact(plain)
        bodyPaths = Self.bodyPaths(of: interaction)
    }

    var title: String {
        ["#\(number)", redacted.request.method, safeURL].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func bodyPaths(of interaction: Interaction) -> BodyPaths {
        // Most entries have no body file, and a search in the text is faster than parsing it.
        guard let original = interaction.original, original.text.range(of: Data("\"_file\"".utf8)) != nil,
            let members = interaction.originalMembers
        else { return BodyPaths(of: JSONObject()) }
        return BodyPaths(of: members)
    }

    private var safeURL: String {
        let url = redacted.request.readableURL
        let scanner = CredentialScanner()
        func isSafe(_ text: String) -> Bool { scanner.findings(in: Data(text.utf8)).isEmpty }
        if isSafe(url) { return VisibleText.shortened(url, to: 200) }
        let start = String(url.prefix { $0 != "?" && $0 != "#" })
        return isSafe(start) ? VisibleText.shortened(start, to: 200) : "(URL hidden)"
    }
}

/// Finds interactions with the same content without storing them.
struct DuplicateSearch {
    struct Group {
        let title: String
        var numbers: [Int]
        var line: Int?

        var message: String { "\(title): recorded again as \(Counted.list(numbers.dropFirst()))" }
    }

    private var groups: [Int: [Group]] = [:]

    mutating func add(_ linted: LintedInteraction, of interactions: any InteractionList) {
        // Unknown bodies may differ.
        guard linted.interaction.isReplayable, linted.interaction.request.bodyAbsence == nil else { return }
        let content = Content(linted.interaction)
        var group = groups[content.hashValue] ?? []
        // Equal hashes do not prove equal content.
        if let position = group.firstIndex(where: { Content(interactions[$0.numbers[0] - 1]) == content }) {
            group[position].numbers.append(linted.number)
            group[position].line = group[position].line ?? linted.line
        } else {
            group.append(Group(title: linted.title, numbers: [linted.number]))
        }
        groups[content.hashValue] = group
    }

    /// The groups with more than one interaction, in recorded order.
    var duplicates: [Group] {
        groups.values.joined().filter { $0.numbers.count > 1 }.sorted { $0.numbers[0] < $1.numbers[0] }
    }

    /// The content that is compared: everything that matters but the `Date` header.
    private struct Content: Hashable {
        private let request: [Projection]
        private let status: Int?
        private let headers: [HeaderList.Field]
        private let body: Projection
        private let failure: String?

        init(_ interaction: Interaction) {
            request = [RequestMatcher].default.map { $0.projection(interaction.request) }
            status = interaction.response?.status
            headers = interaction.response?.headers.filter { !$0.hasName("Date") } ?? []
            body = .bytes(interaction.response?.body.data ?? .init())
            failure = interaction.failure?.line
        }
    }
}
