import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An outcome of a request, and the calls that are tested with it.
package struct Conversation: Sendable {
    /// A short description of the outcome.
    package let name: String
    /// The request, and what the caller does meanwhile.
    package let step: ConversationStep
    /// Whether the server receives the request in every run.
    package let reachesServer: Bool
    private let suits: @Sendable (SessionCall) -> Bool
    private let reason: @Sendable (SessionCall) -> String?

    /// The calls that are tested with it.
    package var calls: [SessionCall] { SessionCall.all.filter(suits) }

    private init(
        _ name: String,
        _ step: ConversationStep,
        for suits: @escaping @Sendable (SessionCall) -> Bool = { _ in true },
        reachesServer: Bool = true,
        differs reason: @escaping @Sendable (SessionCall) -> String? = { _ in nil }
    ) {
        self.name = name
        self.step = step
        self.suits = suits
        self.reachesServer = reachesServer
        self.reason = reason
    }

    // MARK: Deliberate differences

    /// Why an app deliberately receives something else than without Rewind; `nil` if it does not.
    package func deliberateDifference(of call: SessionCall) -> String? {
        reason(call) ?? (call == SessionCall(.download, .asyncWithDelegate) ? Self.doubledDownload : nil)
    }

    /// Lines of a run without Rewind that every comparison ignores, and why.
    package static let ignored: (isLine: @Sendable (String) -> Bool, reason: String) = (
        { $0.hasPrefix("delegate: response") && $0.contains(", status 100,") },
        "Foundation calls the delegate with the interim response 100 that a streamed upload waits for. Rewind delivers "
            + "only the final response, as URLSession documents it."
    )

    private static let doubledDownload =
        "Foundation writes every chunk twice to the file of an async download that has a delegate. Rewind delivers the "
        + "correct bytes."
    private static let lostRedirect =
        "Foundation loses the body of a redirect without a target and does not call the delegate with the response. "
        + "Rewind calls the delegate, with a length that matches the body."
    private static let endlessChallenge =
        "With Foundation 6.3, a 401 Basic without a credential never ends, and the delegate of an async call is not "
        + "asked. Rewind delivers the 401."
    private static let usedStream =
        "Foundation sends the used-up body stream again, so the second request has no body. Rewind sends the body "
        + "again."
    private static let interimCounts =
        "Foundation treats the interim response 100 as the response of the task. Rewind does not."

    /// All conversations.
    package static let all = answers + redirects + challenges + failures + interventions

    // MARK: Answers

    private static let answers: [Conversation] = [
        Conversation("200 with a body", ConversationStep("/text")),
        Conversation("HEAD", ConversationStep("/text", method: "HEAD")) { !$0.sendsBody },
        Conversation("PUT", ConversationStep("/text", method: "PUT")) { $0.sendsBody },
        Conversation("a body with a media type", withFields("/text", ["Content-Type": "application/json"])) {
            $0.sendsBody
        },
        Conversation("204", ConversationStep("/empty")),
        Conversation("304", ConversationStep("/unchanged")) { $0.kind == .data },
        Conversation("404", ConversationStep("/none")) { $0.form == .delegate || $0.kind == .data },
        Conversation("500", ConversationStep("/status?500")) { $0.form == .delegate || $0.kind == .data },
        Conversation("a large upload", largeUpload()) { $0.kind == .body },
        Conversation("an empty body", ConversationStep("/nothing")),
        Conversation("another charset", ConversationStep("/latin")) { !$0.sendsBody },
        Conversation("gzip", ConversationStep("/gzip")) { !$0.sendsBody },
        Conversation("chunks", ConversationStep("/chunks")) { !$0.sendsBody },
        Conversation("a large body", ConversationStep("/large")) { !$0.sendsBody },
        Conversation("HTTP/1.0", ConversationStep("/old")) { $0.kind == .data },
        Conversation("cookies", ConversationStep("/cookies")) { $0.kind == .data },
        Conversation("Content-Disposition with a file name", ConversationStep("/attached")) { !$0.sendsBody },
        Conversation(
            "header fields",
            withFields("/text", ["X-Own": "a", "Accept": "text/*", "User-Agent": "me"])
        ) {
            $0.form == .delegate || $0.form == .async
        },
        Conversation("header fields of the session", withSessionFields()) {
            $0.kind == .data || $0.form == .delegate
        },
    ]

    // MARK: Redirects

    private static let redirects: [Conversation] = [
        Conversation("302", ConversationStep("/moved")) { !$0.sendsBody },
        Conversation("two redirects", ConversationStep("/moved-twice")) { !$0.sendsBody },
        Conversation("303 after a body", ConversationStep("/see-other")) {
            $0.sendsBody && $0.kind != .uploadStream
        },
        Conversation("307 without a body", ConversationStep("/temporary")) { !$0.sendsBody },
        Conversation("a cookie set by a redirect", ConversationStep("/with-cookie")) { $0.kind == .data },
        Conversation(
            "a redirect without a target",
            ConversationStep("/nowhere"),
            for: { !$0.sendsBody },
            differs: { _ in lostRedirect }
        ),
        Conversation("a redirect to a closed port", ConversationStep("/to-refused")) { !$0.sendsBody },
        Conversation("too many redirects", ConversationStep("/loop")) {
            $0.kind == .data || $0.form == .delegate && !$0.sendsBody
        },
        Conversation("a redirect that the delegate refuses", refusingRedirect()) {
            ($0.form == .delegate || $0.form == .asyncWithDelegate) && $0.kind == .data
        },
        Conversation("a redirect that the delegate changes", changingRedirect()) {
            $0.form == .delegate && !$0.sendsBody
        },
    ]

    // MARK: Challenges

    private static let challenges: [Conversation] = [
        Conversation(
            "401 with a credential",
            challenged([useAda]),
            for: { $0.form == .delegate },
            differs: { $0.kind == .bodyStream ? usedStream : nil }
        ),
        Conversation("401 with a wrong credential, then the right one", challenged([useEve, useAda])) {
            $0.form == .delegate && $0.kind == .data
        },
        Conversation(
            "a cancelled challenge",
            challenged([cancel]),
            for: {
                ($0.form == .delegate || $0.form == .handlerBesideDelegate || $0.form == .asyncWithDelegate)
                    && !$0.sendsBody
            },
            differs: { $0.form == .asyncWithDelegate ? endlessChallenge : nil }
        ),
        Conversation("a rejected challenge", challenged([reject])) {
            $0.form == .delegate && $0.kind == .data
        },
        Conversation("401 Digest", ConversationStep("/digest")) { $0.form == .handler && $0.kind == .data },
        Conversation("401 Bearer", ConversationStep("/bearer")) { $0.kind == .data },
        Conversation("401 without a scheme", ConversationStep("/unnamed")) { !$0.sendsBody },
    ]

    private static let ada = URLCredential(user: "ada", password: "lovelace", persistence: .none)
    private static let eve = URLCredential(user: "eve", password: "guess", persistence: .none)
    private static let useAda: ChallengeHandler = { _ in (.useCredential, ada) }
    private static let useEve: ChallengeHandler = { _ in (.useCredential, eve) }
    private static let cancel: ChallengeHandler = { _ in (.cancelAuthenticationChallenge, nil) }
    private static let reject: ChallengeHandler = { _ in (.rejectProtectionSpace, nil) }
    private typealias ChallengeHandler =
        @Sendable (URLAuthenticationChallenge) -> TranscribingDelegate.ChallengeAnswer

    // MARK: Failures

    private static let failures: [Conversation] = [
        Conversation("a refused connection", ConversationStep { _ in url("http://127.0.0.1:1/") }),
        Conversation("an unknown host", ConversationStep { _ in url("http://nowhere.invalid/") }) {
            $0.kind == .data || $0.form == .delegate
        },
        Conversation("a response that is cut off", ConversationStep("/cut")) { !$0.sendsBody },
        Conversation(
            "a reset connection",
            ConversationStep("/reset"),
            for: { $0.kind == .data || $0.form == .delegate },
            differs: { $0.kind == .uploadStream ? interimCounts : nil }
        ),
        Conversation("a connection closed without a response", ConversationStep("/silent")) {
            $0.kind == .data
        },
        Conversation(
            "a timeout of the request",
            timedOut("/hang"),
            for: { ($0.kind == .data || $0.form == .delegate) && !$0.takesURL },
            differs: { $0.kind == .uploadStream ? interimCounts : nil }
        ),
        Conversation("a timeout within the body", timedOut("/head-only")) {
            $0.form == .delegate && !$0.sendsBody
        },
        Conversation("a timeout after a redirect", timedOut("/to-hang")) {
            $0.form == .delegate && $0.kind == .data
        },
        Conversation("a timeout of the session", sessionTimeout()) { $0.kind == .data && $0.form == .handler },
        Conversation("a missing file", missingFile()) { $0.kind == .uploadFile },
    ]

    // MARK: Cancellations

    private static let interventions: [Conversation] = [
        Conversation(
            "cancelled immediately",
            acting("/hang") { $0.cancel() },
            for: { !$0.sendsBody },
            reachesServer: false
        ),
        Conversation(
            "cancelled before the response",
            acting("/hang") { call in
                try? await Task.sleep(nanoseconds: 60_000_000)
                call.cancel()
            },
            for: { $0.kind == .data || $0.form == .delegate },
            differs: { $0.kind == .uploadStream ? interimCounts : nil }
        ),
        Conversation("cancelled when the response begins", cancelledAtHead()) {
            $0.form == .delegate && $0.kind == .data
        },
        Conversation("cancelled within the body", cancelledInBody()) { $0.form == .delegate && !$0.sendsBody },
    ]

    // MARK: Steps

    private static func url(_ text: String) -> URLRequest {
        URL(string: text).map { URLRequest(url: $0) } ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }

    private static func withFields(_ path: String, _ fields: [String: String]) -> ConversationStep {
        let plain = ConversationStep(path)
        return ConversationStep { url in
            var request = plain.request(url)
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
            return request
        }
    }

    private static func withSessionFields() -> ConversationStep {
        var step = withFields("/text", ["X-Both": "request"])
        step.configure = {
            $0.httpAdditionalHeaders = ["X-Session": "s", "x-both": "session", "User-Agent": "ours"]
        }
        return step
    }

    private static func largeUpload() -> ConversationStep {
        var step = ConversationStep("/text", method: "POST")
        step.body = Data(repeating: UInt8(ascii: "a"), count: 300_000)
        return step
    }

    private static func missingFile() -> ConversationStep {
        var step = ConversationStep("/text", method: "POST")
        step.body = nil
        return step
    }

    private static func refusingRedirect() -> ConversationStep {
        var step = ConversationStep("/moved")
        step.behavior.redirect = { _ in nil }
        return step
    }

    private static func changingRedirect() -> ConversationStep {
        var step = ConversationStep("/moved")
        step.behavior.redirect = { request in
            var request = request
            request.setValue("yes", forHTTPHeaderField: "X-Changed")
            return request
        }
        return step
    }

    private static func challenged(_ answers: [ChallengeHandler]) -> ConversationStep {
        var step = ConversationStep("/basic")
        step.behavior.challenges = answers
        return step
    }

    private static func timedOut(_ path: String) -> ConversationStep {
        let plain = ConversationStep(path)
        return ConversationStep { url in
            var request = plain.request(url)
            request.timeoutInterval = 1
            return request
        }
    }

    private static func sessionTimeout() -> ConversationStep {
        var step = ConversationStep("/hang")
        step.configure = { $0.timeoutIntervalForRequest = 1 }
        return step
    }

    private static func acting(
        _ path: String,
        _ action: @escaping @Sendable (RunningCall) async -> Void
    ) -> ConversationStep {
        var step = ConversationStep(path)
        step.afterStart = action
        return step
    }

    private static func cancelledAtHead() -> ConversationStep {
        var step = ConversationStep("/head-only")
        step.behavior.onResponse = { $0.cancel() }
        return step
    }

    private static func cancelledInBody() -> ConversationStep {
        var step = ConversationStep("/head-only")
        step.behavior.onData = { $0.cancel() }
        return step
    }
}
