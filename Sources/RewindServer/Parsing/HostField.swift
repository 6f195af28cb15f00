import Rewind

extension HeaderList {
    /// Refuses what RFC 9112 section 3.2 makes a server refuse: no `Host` in HTTP/1.1, two, or a malformed one.
    ///
    /// An empty value passes, because a target without an authority calls for one.
    func checkHost(version: HTTPVersion) throws(HTTPRefusal) {
        let hosts = values(for: "Host")
        guard hosts.count < 2 else { throw .repeatedHost }
        guard let host = hosts.first else {
            if version == .http11 { throw .missingHost }
            return
        }
        guard host.isEmpty || host.isAuthority else { throw .malformedHost }
    }
}
