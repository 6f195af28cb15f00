import Foundation

/// A challenge of the scheme Basic in `WWW-Authenticate` (RFC 7617 section 2), where it is the first that is made.
struct BasicChallenge {
    /// The realm; empty where none is named.
    let realm: String

    init?(_ headers: HeaderList) {
        let words = headers["WWW-Authenticate"]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.first?.lowercased() == "basic" else { return nil }
        guard words.count > 1, let name = words[1].range(of: "realm=", options: .caseInsensitive) else {
            realm = ""
            return
        }
        let value = words[1][name.upperBound...]
        let isQuoted = value.hasPrefix("\"")
        realm = String(isQuoted ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != "," })
    }
}
