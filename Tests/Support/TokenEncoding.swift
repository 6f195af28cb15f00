import Foundation
import RewindServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a client encodes a token.
package enum TokenEncoding: String, CaseIterable, Sendable {
    case raw, urlQueryAllowed, alphanumerics, form, jsonEncoder, jsonSerialization, base64, base64url
    case userAndToken, xml, urlComponents, twice

    /// Whether a token may contain any character.
    package var isForAnyText: Bool { ![.raw, .urlQueryAllowed].contains(self) }

    /// The places in which clients use this encoding.
    package var places: [TokenPlace] {
        switch self {
        case .jsonEncoder, .jsonSerialization: [.json]
        case .xml: [.xml]
        case .raw: TokenPlace.allCases
        case .urlComponents: [.query, .form]
        case .urlQueryAllowed, .form, .base64: TokenPlace.allCases.filter { ![.xml, .cookie].contains($0) }
        default: TokenPlace.allCases.filter { $0 != .xml }
        }
    }

    package func encoded(_ token: String, of user: String) throws -> String {
        switch self {
        case .raw: return token
        case .urlQueryAllowed: return token.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? ""
        case .alphanumerics: return token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        case .twice:
            let once = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return once.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        case .form:
            let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._* "))
            return (token.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
                .replacingOccurrences(of: " ", with: "+")
        case .jsonEncoder:
            return String(decoding: try JSONEncoder().encode([token]).dropFirst(2).dropLast(2), as: UTF8.self)
        case .jsonSerialization:
            let data = try JSONSerialization.data(withJSONObject: [token])
            return String(decoding: data.dropFirst(2).dropLast(2), as: UTF8.self)
        case .base64: return Data(token.utf8).base64EncodedString()
        case .base64url:
            return Data(token.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        case .userAndToken: return Data("\(user):\(token)".utf8).base64EncodedString()
        case .xml:
            return token.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(
                of: "<",
                with: "&lt;"
            )
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
        case .urlComponents:
            var components = URLComponents()
            components.queryItems = [URLQueryItem(name: "t", value: token)]
            return String((components.percentEncodedQuery ?? "").dropFirst(2))
        }
    }

    /// The token that a server reads; `nil` if it is not in this encoding.
    func decoded(_ text: String, in place: TokenPlace) -> String? {
        switch self {
        case .raw: return text
        case .urlQueryAllowed, .alphanumerics, .urlComponents: return text.removingPercentEncoding
        case .twice: return text.removingPercentEncoding?.removingPercentEncoding
        case .form: return text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
        case .jsonEncoder, .jsonSerialization:
            return try? JSONDecoder().decode([String].self, from: Data("[\"\(text)\"]".utf8)).first
        case .base64, .base64url, .userAndToken:
            let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
                of: "_",
                with: "/"
            )
            let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
            guard let data = Data(base64Encoded: standard + padding) else { return nil }
            let token = String(decoding: data, as: UTF8.self)
            guard self == .userAndToken else { return token }
            return token.split(separator: ":", maxSplits: 1).last.map(String.init)
        case .xml:
            return text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
                .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
        }
    }
}

/// Where a client sends a token.
package enum TokenPlace: String, CaseIterable, Sendable {
    case json, form, multipart, header, cookie, query, path, xml

    /// A request with an encoded token.
    package func request(
        _ action: String,
        _ token: String,
        in encoding: TokenEncoding,
        to server: URL
    ) throws -> URLRequest {
        // The value of a credential's name is not a token alone.
        let name = encoding == .userAndToken ? "auth" : action == "refresh" ? "refresh_token" : "access_token"
        var base = server.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        base += "/\(action)/\(encoding.rawValue)/\(rawValue)"
        if self == .query { base += "?\(name)=\(token)" }
        if self == .path { base += "/\(token)/profile" }
        guard let url = URL(string: base) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        func body(_ mediaType: String, _ text: String) {
            request.httpMethod = "POST"
            request.setValue(mediaType, forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(text.utf8)
        }
        switch self {
        case .json: body("application/json", #"{"\#(name)":"\#(token)","n":1}"#)
        case .form: body("application/x-www-form-urlencoded", "grant_type=\(action)&\(name)=\(token)")
        case .multipart:
            let head = "--b\r\nContent-Disposition: form-data; name=\"\(name)\""
            body("multipart/form-data; boundary=b", "\(head)\r\n\r\n\(token)\r\n--b--\r\n")
        case .xml: body("application/xml", "<r><\(name)>\(token)</\(name)></r>")
        case .header:
            let scheme = encoding == .userAndToken ? "Basic" : "Bearer"
            request.setValue("\(scheme) \(token)", forHTTPHeaderField: "Authorization")
        case .cookie: request.setValue("lang=en; \(name)=\(token)", forHTTPHeaderField: "Cookie")
        case .query, .path: break
        }
        return request
    }

    /// The encoded token of a received request.
    func token(in request: HTTPServerRequest) -> String? {
        let body = String(decoding: request.body, as: UTF8.self)
        func between(_ text: String, _ start: String, _ end: String) -> String? {
            guard let start = text.range(of: start) else { return nil }
            let end = text.range(of: end, range: start.upperBound..<text.endIndex)
            return String(text[start.upperBound..<(end?.lowerBound ?? text.endIndex)])
        }
        switch self {
        case .json: return between(body, #"":""#, #"","n":1}"#)
        case .form: return body.components(separatedBy: "&").last.flatMap { between($0, "=", "&") }
        case .multipart: return between(body, "\r\n\r\n", "\r\n--b")
        case .xml: return between(body, "token>", "</")
        case .header:
            return request.headers["Authorization"].flatMap { between($0, " ", "\n") }
        case .cookie:
            return request.headers["Cookie"].flatMap { between($0, "; ", ";") }.flatMap {
                between($0, "=", ";")
            }
        case .query: return request.query.flatMap { between($0, "=", "&") }
        case .path: return between(request.target, "/path/", "/profile")
        }
    }
}
