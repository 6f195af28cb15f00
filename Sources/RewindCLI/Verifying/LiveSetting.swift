import Rewind

/// How recorded requests are to be sent again.
struct LiveSetting: Sendable {
    /// The address that stands in place of the recorded ones; `nil` for those.
    let base: String?
    /// The methods to repeat; `nil` for all.
    let methods: Set<String>?
    /// Whether requests that may change something are repeated.
    let isUnsafe: Bool
    /// The fields that are sent in place of the recorded ones.
    let headers: [HeaderList.Field]
    /// What is known of secrets.
    let secrets: KnownPlaceholders

    /// Reads an address.
    /// - Throws: ``UsageError`` where it is none.
    static func base(_ text: String, of option: String) throws -> String {
        let parts = URLParts(text)
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, !text.contains("?"),
            !text.contains("#")
        else {
            throw UsageError.badValue(
                text,
                of: option,
                wanted: "an address such as https://staging.example.com"
            )
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Reads a header field (RFC 9110 section 5).
    /// - Throws: ``UsageError`` where it is none.
    static func field(_ text: String, of option: String) throws -> HeaderList.Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first?.trimmingSpaces() ?? ""
        guard parts.count == 2, !name.isEmpty, !name.contains(" "), !text.contains(where: \.isNewline) else {
            // It may be a secret, so it is not repeated.
            throw UsageError.badValue("…", of: option, wanted: "a field such as 'Accept: text/plain'")
        }
        return HeaderList.Field(name: name, value: parts[1].trimmingSpaces())
    }

    /// A recorded URL with the base in place of the server.
    func url(_ recorded: String) -> String {
        guard let base, let scheme = recorded.range(of: "://") else { return recorded }
        let path = recorded[scheme.upperBound...].drop { !"/?#".contains($0) }
        return base + path
    }
}
