#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension TaskClient {
        /// What becomes of a 401 when everybody was asked.
        enum ChallengeDecision: Sendable {
            /// The request is made again with a credential.
            case retry(URLCredential)
            /// The 401 is the answer.
            case deliver
        }

        /// The space a 401 is about, where the platform would ask for a credential: for the scheme Basic only.
        ///
        /// It asks the delegate; where there is none, and no credential is stored, the 401 is the answer.
        func protectionSpace(of response: Response, to request: URLRequest) -> URLProtectionSpace? {
            guard response.status == 401, let url = request.url, let host = url.host,
                let realm = BasicChallenge(response.headers)?.realm
            else { return nil }
            let scheme = url.scheme ?? "http"
            let space = URLProtectionSpace(
                host: host,
                port: url.port ?? (scheme == "https" ? 443 : 80),
                protocol: scheme,
                realm: realm,
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            )
            return task?.delegate == nil && storedCredential(for: space) == nil ? nil : space
        }

        /// Asks for a credential: the delegate, or the session's storage.
        ///
        /// Where the delegate wants neither a credential nor the 401, the task is cancelled.
        func challenge(
            _ space: URLProtectionSpace,
            failures: Int,
            decision: @escaping @Sendable (ChallengeDecision) -> Void
        ) {
            let response = showChallenged()
            let proposed = failures == 0 ? storedCredential(for: space) : nil
            let byDefault = proposed.map(ChallengeDecision.retry) ?? .deliver
            guard let task, let delegate = task.delegate, let session, let queue else {
                return decision(byDefault)
            }
            let challenge = URLAuthenticationChallenge(
                protectionSpace: space,
                proposedCredential: proposed,
                previousFailureCount: failures,
                failureResponse: response,
                error: nil,
                sender: SilentSender()
            )
            session.delegateQueue.addOperation {
                delegate.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
                    switch (disposition, credential) {
                    case (.useCredential, let credential?): queue.perform { decision(.retry(credential)) }
                    case (.cancelAuthenticationChallenge, _), (.rejectProtectionSpace, _): task.cancel()
                    default: queue.perform { decision(byDefault) }
                    }
                }
            }
        }

        /// The default credential that the session keeps for a space.
        ///
        /// Foundation tells spaces apart by their identity, so the equal one that the app used is looked for.
        private func storedCredential(for space: URLProtectionSpace) -> URLCredential? {
            guard let storage = session?.configuration.urlCredentialStorage else { return nil }
            return withStorage {
                let equal = storage.allCredentials.keys.first { own in
                    own.host == space.host && own.port == space.port && own.protocol == space.protocol
                        && own.realm == space.realm && own.authenticationMethod == space.authenticationMethod
                }
                return equal.flatMap(storage.defaultCredential)
            }
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
#endif
