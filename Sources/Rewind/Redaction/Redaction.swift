import Foundation

/// Takes secrets out of an interaction before anything is written.
///
/// ## Overview
/// Credentials in header fields, in the query and before the host of a URL are replaced by a placeholder that names
/// what stood there. A live request passes through the same redaction before it is matched, so that it still finds
/// its recording.
///
/// ## Usage
/// ```swift
/// configuration.redaction.headerNames.insert("x-tenant-key")
/// configuration.redaction = .off
/// ```
///
/// - Important: Bodies are written as they are.
public struct Redaction: Sendable {
    /// The names of secret header fields, whatever their case.
    public var headerNames: Set<String> {
        didSet { headerNames = Self.lowercased(headerNames) }
    }
    /// The names of secret query items, whatever their case.
    public var queryNames: Set<String> {
        didSet { queryNames = Self.lowercased(queryNames) }
    }
    /// Whether the user and password before the host of a URL are secret.
    public var redactsUserInformation: Bool

    /// Creates a redaction.
    /// - Parameters:
    ///   - headerNames: The names of secret header fields, whatever their case.
    ///   - queryNames: The names of secret query items, whatever their case.
    ///   - redactsUserInformation: Whether the user before the host of a URL is secret; `true` by default.
    public init(headerNames: Set<String>, queryNames: Set<String>, redactsUserInformation: Bool = true) {
        self.headerNames = Self.lowercased(headerNames)
        self.queryNames = Self.lowercased(queryNames)
        self.redactsUserInformation = redactsUserInformation
    }

    /// Takes out what ``SecretNames`` lists.
    public static let `default` = Redaction(
        headerNames: SecretNames.headers,
        queryNames: SecretNames.queryItems
    )

    /// Takes out nothing.
    public static let off = Redaction(headerNames: [], queryNames: [], redactsUserInformation: false)

    private static func lowercased(_ names: Set<String>) -> Set<String> {
        Set(names.map { $0.lowercased() })
    }

    /// The request without its secrets.
    package func redact(_ request: Request) -> Request {
        var request = request
        request.url = redact(url: request.url)
        if !request.headers.isEmpty { request.headers = redact(request.headers) }
        return request
    }

    /// The interaction without its secrets.
    package func redact(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.request = redact(interaction.request)
        switch interaction.outcome {
        case .response(let response):
            interaction.outcome = .response(redact(response))
        case .failure(let failure, let partial):
            interaction.outcome = .failure(failure, after: partial.map(redact))
        case .unknown:
            break
        }
        return interaction
    }

    private func redact(_ response: Response) -> Response {
        var response = response
        response.headers = redact(response.headers)
        return response
    }

    private func redact(_ headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                let name = field.name.lowercased()
                if headerNames.contains(name) {
                    let value = name == "set-cookie" ? redact(cookie: field.value) : "<\(name)>"
                    return HeaderList.Field(name: field.name, value: value)
                }
                let isReference = name == "location" || name == "content-location" || name == "referer"
                return isReference ? HeaderList.Field(name: field.name, value: redact(url: field.value)) : field
            }
        )
    }

    /// Keeps a cookie's name and attributes, by which a client stores it.
    private func redact(cookie: String) -> String {
        guard let equals = cookie.firstIndex(of: "=") else { return cookie }
        let name = cookie[..<equals]
        let attributes = cookie[equals...].firstIndex(of: ";").map { cookie[$0...] } ?? ""
        return "\(name)=<\(name.trimmingSpaces())>\(attributes)"
    }

    /// Redacts what stands before the host, in the query, and in a fragment that is made like a query, as OAuth's
    /// implicit grant has it (RFC 6749 section 4.2.2).
    private func redact(url: String) -> String {
        // Most URLs have neither, and bytes are quicker to look through than characters.
        var url = url.utf8.contains(UInt8(ascii: "@")) ? redactUser(of: url) : url
        guard !queryNames.isEmpty, url.utf8.contains(UInt8(ascii: "=")) else { return url }
        let hash = UInt8(ascii: "#")
        if let mark = url.utf8.firstIndex(of: hash) { redactItems(of: &url, from: mark, to: url.endIndex) }
        if let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) {
            redactItems(of: &url, from: mark, to: url.utf8[mark...].firstIndex(of: hash) ?? url.endIndex)
        }
        return url
    }

    private func redactItems(of url: inout String, from mark: String.Index, to end: String.Index) {
        let start = url.utf8.index(after: mark)
        guard start <= end else { return }
        let items = url.utf8[start..<end].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let names = items.map(secretName)
        guard names.contains(where: { $0 != nil }) else { return }
        let redacted = zip(items, names).map { item, name -> String in
            guard let name else { return String(Substring(item)) }
            let spelled = Substring(item.prefix { $0 != UInt8(ascii: "=") })
            return "\(spelled)=\(PercentEncoding.encoded("<\(name)>"))"
        }
        url.replaceSubrange(start..<end, with: redacted.joined(separator: "&"))
    }

    /// The name of an item, decoded, where its value is secret.
    private func secretName(of item: Substring.UTF8View) -> String? {
        guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let spelled = String(Substring(item[..<equals]))
        let name = spelled.utf8.contains(UInt8(ascii: "%")) ? spelled.removingPercentEncoding : spelled
        return name.flatMap { queryNames.contains($0.lowercased()) ? $0 : nil }
    }

    private func redactUser(of url: String) -> String {
        guard redactsUserInformation, let slashes = url.range(of: "//") else { return url }
        let before = url[..<slashes.lowerBound]
        guard before.isEmpty || before.hasSuffix(":") else { return url }
        let end = url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let at = url[slashes.upperBound..<end].lastIndex(of: "@") else { return url }
        return url.replacingCharacters(in: slashes.upperBound..<at, with: PercentEncoding.encoded("<user>"))
    }
}
