import Foundation

/// How much of an answer a recorded request got.
enum AnswerExtent: Int, Comparable, Sendable {
    case nothing, partial, complete

    static func < (left: AnswerExtent, right: AnswerExtent) -> Bool { left.rawValue < right.rawValue }

    /// The extent of each interaction, in order. That of a redirect is the one of the requests to which it leads.
    static func extents(of interactions: [Interaction]) -> [AnswerExtent] {
        var extents = interactions.map { AnswerExtent(of: $0.outcome) }
        // A redirect leads to a later request, and the app may have sent that again.
        var best: [String: AnswerExtent] = [:]
        for (position, interaction) in interactions.enumerated().reversed() {
            if let target = interaction.redirectedURL, let extent = best[target] { extents[position] = extent }
            let url = interaction.request.url
            best[url] = max(best[url] ?? .nothing, extents[position])
        }
        return extents
    }

    fileprivate init(of outcome: Interaction.Outcome) {
        switch outcome {
        case .response(let response): self = response.isErrorOfRewindServer ? .nothing : .complete
        case .failure(_, let partial): self = partial == nil ? .nothing : .partial
        case .unknown: self = .nothing
        }
    }
}

extension Interaction {
    /// The URL to which a complete response redirects, without a fragment.
    fileprivate var redirectedURL: String? {
        guard case .response(let response) = outcome, let target = response.redirectTarget else { return nil }
        let url =
            URL(string: target, relativeTo: URL(string: response.url ?? request.url))?.absoluteString ?? target
        return url.firstIndex(of: "#").map { String(url[..<$0]) } ?? url
    }

    /// Whether the network or a server is the reason why there is no answer, and not the app.
    var meansNoAnswer: Bool {
        guard AnswerExtent(of: outcome) == .nothing else { return false }
        return failure.map { !$0.isCancellation && !$0.isCausedByRequest } ?? true
    }

    /// Why the request got no complete answer, for a message.
    var causeOfNoAnswer: String {
        switch outcome {
        case .failure(let failure, _):
            let code = "\(failure.domain) \(failure.code)"
            return failure.message.isEmpty ? code : "\(failure.message.withoutFullStop) (\(code))"
        case .response(let response) where response.isErrorOfRewindServer:
            return "status \(response.status) of a server of Rewind, which got no answer itself"
        case .response(let response): return "status \(response.status), but no answer where it redirects to"
        case .unknown(let reason): return reason
        }
    }
}

extension Interaction.Response {
    /// Whether a server of Rewind sent this response because it had none to send.
    var isErrorOfRewindServer: Bool {
        status >= 500 && (headers["X-Rewind-Failure"] != nil || headers["X-Rewind-Miss"] != nil)
    }
}

extension Interaction.Failure {
    var isCancellation: Bool {
        domain == NSURLErrorDomain && code == NSURLErrorCancelled || domain == Self.cancellationDomain
    }

    /// Whether the request itself is the cause, so that no server could answer it.
    fileprivate var isCausedByRequest: Bool {
        let codes = [
            NSURLErrorBadURL, NSURLErrorUnsupportedURL, NSURLErrorFileDoesNotExist, NSURLErrorFileIsDirectory,
            NSURLErrorNoPermissionsToReadFile, NSURLErrorRequestBodyStreamExhausted,
        ]
        return domain == NSURLErrorDomain && codes.contains(code) || domain == NSCocoaErrorDomain
    }
}
