import Rewind

extension HeaderList {
    /// The fields that go on to the next recipient: those of one connection are left out (RFC 9110 section 7.6.1).
    package var withoutConnectionFields: HeaderList {
        guard firstPosition(where: { $0.isOfConnection }) != nil else { return self }
        let named = listMembers(of: "Connection")
        return HeaderList(
            fields.filter { field in
                !field.isOfConnection && !named.contains { field.hasName(String($0)) }
            }
        )
    }
}

extension HeaderList.Field {
    /// Whether it is one of the fields of RFC 9110 section 7.6.1; with `Trailer`, for trailers are not passed on, and
    /// `Proxy-Authorization`, which is for the proxy alone (section 11.7.2).
    var isOfConnection: Bool {
        switch name.utf8.count {
        case 2: hasName("TE")
        case 7: hasName("Upgrade") || hasName("Trailer")
        case 10: hasName("Connection") || hasName("Keep-Alive")
        case 16: hasName("Proxy-Connection")
        case 17: hasName("Transfer-Encoding")
        case 19: hasName("Proxy-Authorization")
        default: false
        }
    }
}
