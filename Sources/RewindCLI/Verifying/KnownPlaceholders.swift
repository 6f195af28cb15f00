import Foundation
import Rewind

/// The secrets that a user names, to be sent where a cassette has their placeholders.
struct KnownPlaceholders: Sendable {
    private let values: [String: String]

    /// Reads words such as `access_token=abc`, `access_token:2=def`, or `API_KEY` for the variable of that name.
    ///
    /// No variable is looked up that is not named: a cassette must not be able to ask for one.
    /// - Throws: ``UsageError`` where a variable is not set.
    init(
        _ words: [String],
        option: String,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        var values: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init
            )
            let name = (parts.first ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
            guard Placeholder("<\(name)>") != nil, let value = parts.count == 2 ? parts[1] : variables[name]
            else {
                let wanted = "NAME=VALUE, or the name of a variable that is set"
                throw UsageError.badValue(name, of: option, wanted: wanted)
            }
            values[name] = value
        }
        self.values = values
    }

    /// A request with the secrets that are known.
    /// - Returns: The request, and the placeholders that still stand in it.
    func filling(_ request: Request) -> (request: Request, missing: [Placeholder]) {
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

    /// What takes the secrets out of live answers.
    var redactor: Redactor {
        var redaction = Redaction.default
        for (name, value) in values { redaction.replace(value, with: "<\(name)>") }
        return Redactor(redaction)
    }

    private func value(of placeholder: Placeholder) -> String? {
        let numbered = placeholder.number.flatMap { values["\(placeholder.name):\($0)"] }
        return numbered ?? values[placeholder.name]
    }
}

extension Request {
    /// The placeholders that stand in it for secrets, each once.
    ///
    /// In a body only those with a number count, as `<name>` may well be an element of XML.
    fileprivate var placeholders: [Placeholder] {
        let texts = [url] + headers.map(\.value)
        var found = texts.flatMap { Placeholder.placeholders(in: $0) }
        found += Placeholder.placeholders(in: body?.data ?? Data()).filter { $0.number != nil }
        var seen: Set<Placeholder> = []
        return found.filter { seen.insert($0).inserted }
    }
}
