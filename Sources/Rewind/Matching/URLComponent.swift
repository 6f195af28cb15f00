/// A component of a URL (RFC 3986 section 3).
public enum URLComponent: String, Hashable, Sendable, CaseIterable {
    /// The scheme, in lower case.
    case scheme
    /// The user and password before the host.
    case user
    /// The host, in lower case.
    case host
    /// The port, also where it is the scheme's own.
    case port
    /// The path, percent-encoding normalised.
    case path
    /// The query without its question mark.
    case query
    /// The fragment without its mark.
    case fragment
}

extension URLComponent {
    /// The component of a URL; `nil` where it has none.
    package func value(of url: String) -> String? {
        let parts = URLParts(url)
        return switch self {
        case .scheme: parts.scheme.isEmpty ? nil : parts.scheme
        case .user: parts.userInformation
        case .host: parts.host.isEmpty ? nil : parts.host
        case .port: parts.port.map(String.init)
        case .path: parts.path
        case .query: parts.query
        case .fragment: parts.fragment
        }
    }

    /// The URL without the component.
    package func removed(from url: String) -> String {
        var parts = URLParts(url)
        switch self {
        case .scheme:
            // A port that follows from the scheme goes with it.
            if parts.hasDefaultPort { parts.port = nil }
            parts.scheme = ""
        case .user: parts.userInformation = nil
        case .host: parts.host = ""
        case .port: parts.port = nil
        case .path: parts.path = ""
        case .query: parts.query = nil
        case .fragment: parts.fragment = nil
        }
        return parts.text
    }
}
