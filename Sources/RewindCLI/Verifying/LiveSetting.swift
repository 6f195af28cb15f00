import Foundation
import Rewind

/// How recorded requests are changed before they are sent.
struct LiveSetting: Sendable {
    /// The address that replaces the recorded origins; `nil` to use the recorded ones.
    let base: String?
    /// The methods to send; `nil` for all.
    let methods: Set<String>?
    let isUnsafe: Bool
    let headers: [HeaderList.Field]
    let secrets: KnownPlaceholders

    static func base(_ text: String, of option: Synopsis.Option) throws -> String {
        let parts = URLParts(text)
        let isAddress = ["http", "https"].contains(parts.scheme) && !parts.host.isEmpty
        guard isAddress, !text.contains("?"), !text.contains("#") else {
            throw option.invalidValue(text, expected: "an address such as https://staging.example.com")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Parses a header field (RFC 9110 section 5).
    static func field(_ text: String, of option: Synopsis.Option) throws -> HeaderList.Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first?.trimmingSpaces() ?? ""
        guard parts.count == 2, !name.isEmpty, !name.contains(" "), !text.contains(where: \.isNewline) else {
            // The error does not contain the text, which may be a secret.
            throw option.invalidValue(nil, expected: "a header such as 'Accept: text/plain'")
        }
        return HeaderList.Field(name: name, value: parts[1].trimmingSpaces())
    }

    func url(_ recorded: String) -> String {
        guard let base, let scheme = recorded.range(of: "://") else { return recorded }
        return base + recorded[scheme.upperBound...].drop { !"/?#".contains($0) }
    }
}

/// The secrets that replace placeholders of a cassette before a request is sent.
struct KnownPlaceholders: Sendable {
    private let values: [String: String]

    /// Reads values such as `accessToken=abc`, `REDACTEDaccessTokenN2X=def`, or `API_KEY` for the environment variable of
    /// that name. Only named variables are read: a cassette must not be able to request one.
    init(_ texts: [String], of option: Synopsis.Option) throws {
        let variables = ProcessInfo.processInfo.environment
        var values: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = (parts.first ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
            let value = parts.count == 2 ? String(parts[1]) : variables[name]
            guard !name.isEmpty, name.unicodeScalars.allSatisfy(Self.nameCharacters.contains), let value else {
                throw option.invalidValue(name, expected: "NAME=VALUE, or an environment variable that is set")
            }
            values[Self.placeholder(numbered: name)?.text ?? name] = value
        }
        self.values = values
    }

    /// The placeholder for a name with a number, such as `access_token:2`.
    private static func placeholder(numbered name: String) -> Placeholder? {
        let parts = name.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[1]) else { return nil }
        return Placeholder(name: String(parts[0]), number: number)
    }

    private static let nameCharacters = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "_-.:"))

    func filling(_ request: Interaction.Request) -> (request: Interaction.Request, missing: [Placeholder]) {
        let placeholders = request.placeholders
        guard !placeholders.isEmpty else { return (request, []) }
        var redaction = Redaction.off
        for placeholder in placeholders {
            guard let value = value(of: placeholder) else { continue }
            redaction.replace(value, with: placeholder.text)
        }
        let filled = SecretRestorer(redaction)?.restored(request) ?? request
        return (filled, filled.placeholders)
    }

    func redactor(_ rules: Redaction) -> Redactor {
        var redaction = rules
        for (name, value) in values { redaction.replace(value, with: "<\(name)>") }
        return Redactor(redaction)
    }

    private func value(of placeholder: Placeholder) -> String? {
        guard placeholder.number != nil else { return values[placeholder.secretName] }
        if let value = values[placeholder.text] { return value }
        return values.first { Placeholder(name: $0.key, number: 0).name == placeholder.name }?.value
    }
}

extension Placeholder {
    /// The name for the option `--secret`.
    var secretName: String { name.filter { !"<>".contains($0) } }
}

extension Interaction.Request {
    /// Each placeholder once. Texts that the user chose are found in the URL and in headers, because `<name>` in a body may
    /// be an XML element.
    fileprivate var placeholders: [Placeholder] {
        let texts = [url.removingPercentEncoding ?? url] + headers.map(\.value)
        var found = texts.flatMap { Placeholder.placeholders(in: $0) + Self.chosenPlaceholders(in: $0) }
        found += Placeholder.placeholders(in: body?.data ?? Data())
        var seen: Set<Placeholder> = []
        return found.filter { seen.insert($0).inserted }
    }

    private static func chosenPlaceholders(in text: String) -> [Placeholder] {
        text.matches(of: /<[A-Za-z0-9_.\-]+>/).map { Placeholder(chosen: String($0.output)) }
    }
}
