import Foundation
import Rewind

struct LiveSetting: Sendable {
    /// The address to use in place of the recorded ones; `nil` for those.
    let base: String?
    /// The methods to repeat; `nil` for all.
    let methods: Set<String>?
    let isUnsafe: Bool
    let headers: [HeaderList.Field]
    let secrets: KnownPlaceholders

    static func base(_ text: String, of option: Synopsis.Option) throws -> String {
        let parts = URLParts(text)
        let isAddress = ["http", "https"].contains(parts.scheme) && !parts.host.isEmpty
        guard isAddress, !text.contains("?"), !text.contains("#") else {
            throw option.badValue(text, wanted: "an address such as https://staging.example.com")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Reads a header field (RFC 9110 section 5).
    static func field(_ text: String, of option: Synopsis.Option) throws -> HeaderList.Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first?.trimmingSpaces() ?? ""
        guard parts.count == 2, !name.isEmpty, !name.contains(" "), !text.contains(where: \.isNewline) else {
            // It may be a secret, so it is not repeated.
            throw option.badValue("…", wanted: "a field such as 'Accept: text/plain'")
        }
        return HeaderList.Field(name: name, value: parts[1].trimmingSpaces())
    }

    func url(_ recorded: String) -> String {
        guard let base, let scheme = recorded.range(of: "://") else { return recorded }
        return base + recorded[scheme.upperBound...].drop { !"/?#".contains($0) }
    }
}

/// The secrets that a user names, to be sent where a cassette has their placeholders.
struct KnownPlaceholders: Sendable {
    private let values: [String: String]

    /// Reads words such as `access_token=abc`, `access_token:2=def`, or `API_KEY` for the variable of that
    /// name. No variable is looked up that is not named: a cassette must not be able to ask for one.
    init(_ words: [String], of option: Synopsis.Option) throws {
        let variables = ProcessInfo.processInfo.environment
        var values: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = (parts.first ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
            let value = parts.count == 2 ? String(parts[1]) : variables[name]
            guard Placeholder("<\(name)>") != nil, let value else {
                throw option.badValue(name, wanted: "NAME=VALUE, or the name of a variable that is set")
            }
            values[name] = value
        }
        self.values = values
    }

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

    var redactor: Redactor {
        var redaction = Redaction.default
        for (name, value) in values { redaction.replace(value, with: "<\(name)>") }
        return Redactor(redaction)
    }

    private func value(of placeholder: Placeholder) -> String? {
        placeholder.number.flatMap { values["\(placeholder.name):\($0)"] } ?? values[placeholder.name]
    }
}

extension Interaction.Request {
    /// Each placeholder once. In a body only those with a number count, as `<name>` may well be an element of XML.
    fileprivate var placeholders: [Placeholder] {
        var found = ([url] + headers.map(\.value)).flatMap { Placeholder.placeholders(in: $0) }
        found += Placeholder.placeholders(in: body?.data ?? Data()).filter { $0.number != nil }
        var seen: Set<Placeholder> = []
        return found.filter { seen.insert($0).inserted }
    }
}
