import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Request {
    /// The request of a load, without header fields: as much of it as costs nothing to know.
    init(_ request: URLRequest, body: Data?) {
        let url = request.url?.absoluteString ?? ""
        self.init(method: request.httpMethod ?? "GET", url: url, body: body.map { Body($0) })
    }

    /// The request with the header fields it is sent with.
    func adding(_ fields: [String: String]) -> Request {
        var request = self
        request.headers = HeaderList(fields)
        return request
    }
}

extension Response {
    /// A response as the loading system saw it: the platform keeps no order and joins duplicates, so names are sorted
    /// and cookies split again.
    init(_ response: HTTPURLResponse, body: Body = Body()) {
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields { fields[name] = value }
        self.init(status: response.statusCode, headers: HeaderList(fields), body: body)
    }

    /// The header fields as a client sees them beside a body that is already decoded.
    ///
    /// A length that is not the body's would mislead a client, and what ends a line could become a field of its own
    /// wherever the client writes it.
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - isWhole: Whether all of the body has come.
    ///   - keepsCoding: Whether the client sees the coding that was undone and the length of the coded body, as
    ///     URLSession shows them.
    /// - Returns: The fields.
    package func headersForClient(of method: String, isWhole: Bool, keepsCoding: Bool = false) -> HeaderList {
        var headers = headers.withoutPseudoFields
        if headers.firstPosition(where: { $0.endsLine }) != nil { headers.fields.removeAll { $0.endsLine } }
        let coding = headers["Content-Encoding"]?.lowercased()
        if let coding, coding != "identity" {
            if !keepsCoding {
                headers.removeAll(named: "Content-Encoding")
                headers.removeAll(named: "Content-Length")
            }
        } else if isWhole, method != "HEAD", status != 304 {
            let lengths = headers.values(for: "Content-Length")
            let isTrue = lengths.count == 1 && lengths.first == String(body.count)
            if !lengths.isEmpty, !isTrue { headers["Content-Length"] = String(body.count) }
        }
        return headers
    }
}

extension HeaderList {
    /// Fields of a dictionary, sorted by name so that two recordings are alike.
    fileprivate init(_ fields: [String: String]) {
        self.init()
        let named = fields.map { (lowercased: $0.key.lowercased(), name: $0.key, value: $0.value) }
        for (lowercased, name, value) in named.sorted(by: {
            ($0.lowercased, $0.name) < ($1.lowercased, $1.name)
        }) {
            if lowercased == "set-cookie" {
                for cookie in SetCookie.split(value) { append(name, cookie) }
            } else {
                append(name, value)
            }
        }
    }
}
