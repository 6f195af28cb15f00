import Rewind

extension [Matcher] {
    /// What a cassette that is served whole is matched by: all but the scheme and the host, and the host too where the
    /// request names one that is on the cassette.
    package static func served(_ cassette: Cassette) -> [Matcher] {
        let authorities = Set(cassette.interactions.map { URLParts($0.request.url).authority })
        let host = Matcher.custom("host") { requested, recorded in
            let asked = URLParts(requested.url).authority
            return !authorities.contains(asked) || asked == URLParts(recorded.url).authority
        }
        return [.method, .path, .query, .body] + (authorities.count > 1 ? [host] : [])
    }
}
