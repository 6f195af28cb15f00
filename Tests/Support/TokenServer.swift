import Foundation
import Rewind
import RewindServer

/// A server at which users log in, use a token, refresh it and log out. It accepts tokens in any place and encoding.
///
/// `POST /login` takes `{"user": …}` and any password, and returns two tokens. The paths `/me`, `/refresh` and `/logout` are
/// followed by the encoding and the place of the token: `/me/base64/query?auth=…`.
package final class TokenServer: Sendable {
    private let server: HTTPServer

    /// The address of the running server.
    package let url: URL

    /// Starts a server on a free port.
    package init() throws {
        let tokens = Locked<[String: Token]>([:])
        server = HTTPServer { request, response in
            let answer = TokenAnswer(request: request, tokens: tokens)
            let (status, text) = answer.content
            let headers: HeaderList = ["Content-Type": "application/json"]
            try response.respond(status: status, headers: headers, body: Data(text.utf8))
        }
        url = try server.start()
    }

    /// Stops the server; its port then refuses connections.
    package func stop() { server.stop() }

    fileprivate struct Token: Sendable {
        let user: String
        let kind: TokenKind
        let isRefresh: Bool
        var uses = 0
        var isRevoked = false
    }
}

private struct TokenAnswer {
    let request: HTTPServerRequest
    let tokens: Locked<[String: TokenServer.Token]>

    var content: (Int, String) {
        let parts = request.target.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard let action = parts.first else { return (404, "{}") }
        if action == "login" {
            let body = try? JSONDecoder().decode([String: String].self, from: request.body)
            guard let user = body?["user"] else { return (400, #"{"error":"no user"}"#) }
            return (200, grant(user, TokenKind(rawValue: String(parts.last ?? "")) ?? .plain))
        }
        guard parts.count > 2, let encoding = TokenEncoding(rawValue: String(parts[1])),
            let place = TokenPlace(rawValue: String(parts[2].prefix { $0 != "?" })),
            let sent = place.token(in: request), let token = encoding.decoded(sent, in: place)
        else { return (400, #"{"error":"no token"}"#) }
        guard var found = tokens.withLock({ $0[token] }), !found.isRevoked else {
            return (401, #"{"error":"unknown token"}"#)
        }
        found.uses += 1
        if action != "me" { found.isRevoked = true }
        tokens.withLock { [found] in $0[token] = found }
        switch action {
        case "me": return (200, #"{"hello":"\#(found.user)","use":\#(found.uses)}"#)
        case "refresh" where found.isRefresh:
            return (200, grant(found.user, found.kind))
        case "logout": return (200, #"{"bye":"\#(found.user)"}"#)
        default: return (403, #"{"error":"wrong token"}"#)
        }
    }

    private func grant(_ user: String, _ kind: TokenKind) -> String {
        func token(isRefresh: Bool) -> String {
            let random = UUID().uuidString.replacingOccurrences(of: "-", with: "")
            let token = kind.token(random)
            tokens.withLock { $0[token] = TokenServer.Token(user: user, kind: kind, isRefresh: isRefresh) }
            return token.replacingOccurrences(of: "\"", with: "\\\"")
        }
        let (access, refresh) = (token(isRefresh: false), token(isRefresh: true))
        return #"{"access_token":"\#(access)","refresh_token":"\#(refresh)","user":"\#(user)"}"#
    }
}

/// What a token consists of.
package enum TokenKind: String, Sendable {
    /// Characters that may be in a URL as they are.
    case plain
    /// Characters that encoders treat differently.
    case rich
    /// A JSON Web Token.
    case jwt

    fileprivate func token(_ random: String) -> String {
        func base64(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        }
        return switch self {
        case .plain: "\(random)+/~x=="
        case .rich: "\(random)+/&<%>\"'="
        case .jwt:
            base64(#"{"alg":"HS256","typ":"JWT"}"#) + "." + base64(#"{"jti":"\#(random)","exp":4102444800}"#)
                + "." + base64(random)
        }
    }
}
