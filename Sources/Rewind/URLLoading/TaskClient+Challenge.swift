import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What follows a 401 once everybody was asked.
enum ChallengeDecision: Sendable {
    /// The request is made again with a credential.
    case retry(URLCredential)
    /// The 401 is the answer.
    case deliver
}

extension TaskClient {
    /// The space a 401 is about, where the platform would ask for a credential: for the scheme Basic only.
    ///
    /// It asks the delegate; where there is none, and no credential is stored, the 401 is the answer.
    func protectionSpace(of response: Response, to request: URLRequest) -> URLProtectionSpace? {
        guard response.status == 401, let url = request.url, let host = url.host,
            let realm = response.headers.basicRealm
        else { return nil }
        let scheme = url.scheme ?? "http"
        let space = URLProtectionSpace(
            host: host,
            port: url.port ?? (scheme == "https" ? 443 : 80),
            protocol: scheme,
            realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        guard let sessionTask else { return nil }
        return sessionTask.delegates.isEmpty && storedCredential(for: space) == nil ? nil : space
    }

    /// Asks for a credential: the delegate, or the session's storage.
    ///
    /// Where the delegate wants neither a credential nor the 401, the task is cancelled. The number of failures is that
    /// of the credentials that the server has refused. The decision is made on the client's queue.
    func challenge(
        _ space: URLProtectionSpace,
        about head: HTTPURLResponse?,
        failures: Int,
        decision: @escaping @Sendable (ChallengeDecision) -> Void
    ) {
        let proposed = failures == 0 ? storedCredential(for: space) : nil
        let byDefault = proposed.map(ChallengeDecision.retry) ?? .deliver
        guard let sessionTask, let queue, !sessionTask.delegates.isEmpty else { return decision(byDefault) }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: proposed,
            previousFailureCount: failures,
            failureResponse: head,
            error: nil,
            sender: SilentSender()
        )
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            switch ($0, $1) {
            case (.useCredential, let credential?): queue.perform { decision(.retry(credential)) }
            case (.cancelAuthenticationChallenge, _), (.rejectProtectionSpace, _): sessionTask.task.cancel()
            default: queue.perform { decision(byDefault) }
            }
        }
        sessionTask.ask { delegate in
            delegate.decide(challenge, of: sessionTask, answer)
        } otherwise: {
            queue.perform { decision(byDefault) }
        }
    }

    /// The default credential that the session keeps for a space.
    ///
    /// swift-corelibs-foundation tells spaces apart by their identity, so the equal one that the app used is looked for.
    private func storedCredential(for space: URLProtectionSpace) -> URLCredential? {
        guard let storage = sessionTask?.configuration.urlCredentialStorage else { return nil }
        return withStorage {
            let equal = storage.allCredentials.keys.first { $0.isEquivalent(to: space) }
            return equal.flatMap(storage.defaultCredential)
        }
    }
}

extension URLProtectionSpace {
    fileprivate func isEquivalent(to other: URLProtectionSpace) -> Bool {
        guard host == other.host, port == other.port, realm == other.realm else { return false }
        return `protocol` == other.protocol && authenticationMethod == other.authenticationMethod
    }
}

/// The sender of a challenge that is answered through its completion handler only.
private final class SilentSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

extension URLCredential {
    /// The value of an `Authorization` field of the scheme Basic (RFC 7617 section 2).
    var basicAuthorization: String {
        "Basic " + Data("\(user ?? ""):\(password ?? "")".utf8).base64EncodedString()
    }
}

extension HeaderList {
    /// The realm of a challenge of the scheme Basic (RFC 7617 section 2), where it is the first challenge; empty where it
    /// names none.
    fileprivate var basicRealm: String? {
        let words = self["WWW-Authenticate"]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.first?.lowercased() == "basic" else { return nil }
        guard words.count > 1, let name = words[1].range(of: "realm=", options: .caseInsensitive) else {
            return ""
        }
        let value = words[1][name.upperBound...]
        let isQuoted = value.hasPrefix("\"")
        return String(isQuoted ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != "," })
    }
}
