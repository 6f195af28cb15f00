import Rewind

extension HeaderList {
    /// The fields that go on to the next recipient: those of one connection are left out (RFC 9110 section 7.6.1).
    var withoutConnectionFields: HeaderList {
        guard contains(where: { field in Self.connectionFields.contains { field.hasName($0) } }) else {
            return self
        }
        let named = listMembers(of: "Connection")
        return HeaderList(
            fields.filter { field in
                !Self.connectionFields.contains { field.hasName($0) }
                    && !named.contains { field.hasName(String($0)) }
            }
        )
    }

    /// The fields of RFC 9110 section 7.6.1; with `Trailer`, for trailers are not passed on, and
    /// `Proxy-Authorization`, which is for the proxy alone (section 11.7.2).
    private static let connectionFields = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade", "Trailer",
        "Proxy-Authorization",
    ]
}
