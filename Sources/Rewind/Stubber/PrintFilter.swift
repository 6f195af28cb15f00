import Foundation

/// What a stubber may print: text without the secrets of its traffic.
///
/// It learns the secrets of requests and responses only when something is printed. It has secrets of its own, so that
/// printing does not change how requests are matched.
package final class PrintFilter: Sendable {
    private enum Source: Sendable {
        case request(IncomingRequest)
        indirect case exchange(Interaction)
    }

    private let redaction: Redaction
    private struct Unread: Sendable {
        var sources: [(number: Int, source: Source)] = []
        var lastNumber = 0
    }

    private let unread = Locked(Unread())
    /// Each one has a limited number of secrets, so that learning one more takes the same time for any number of secrets.
    private let redactors: Locked<[Redactor]>

    package init(_ redaction: Redaction) {
        self.redaction = redaction
        redactors = Locked([Redactor(redaction)])
    }

    /// Adds a request whose secrets must not be printed.
    /// - Parameters:
    ///   - request: The request.
    ///   - isKept: Whether the request is in memory anyway. Of the others, only the latest small ones are read.
    func add(_ request: IncomingRequest, isKept: Bool) {
        add(.request(request), isKept: isKept, size: request.light.body?.count ?? 0)
    }

    /// Adds an interaction whose secrets must not be printed.
    func add(_ interaction: Interaction, isKept: Bool) {
        let size = (interaction.request.body?.count ?? 0) + (interaction.recordedResponse?.body.count ?? 0)
        add(.exchange(interaction), isKept: isKept, size: size)
    }

    private func add(_ source: Source, isKept: Bool, size: Int) {
        guard isKept || size <= Self.latestSize else { return }
        unread.withLock { unread in
            if !isKept, unread.sources.count >= Self.latestCount { unread.sources.removeFirst() }
            unread.lastNumber += 1
            unread.sources.append((unread.lastNumber, source))
        }
    }

    package func printable(_ text: String) -> String {
        let redactors = learn()
        let known = redactors.dropLast().reduce(text) { $1.replacingKnown(in: $0) }
        return redactors.last?.printable(known) ?? known
    }

    /// A request to print or to compare with recorded ones in a message.
    package func printable(_ request: Interaction.Request) -> Interaction.Request {
        let redactors = learn()
        var shown = Interaction(request: request, outcome: .unknown(reason: ""))
        for redactor in redactors { shown = redactor.replacingKnown(in: shown) }
        if let last = redactors.last { shown.request = last.redact(shown.request) }
        guard let scanner = redactors.last?.credentialScanner else { return shown.request }
        shown = redaction.credentialCheck?.withholding(in: shown) ?? shown
        shown.request.url = PrintedText.withoutCredentials(shown.request.url, scanner)
        return shown.request
    }

    /// Learns the secrets that it has not read yet, and returns the redactors that know all.
    ///
    /// Nothing is locked meanwhile, as closures of the test may find secrets. A source counts as read only afterwards, so
    /// that another thread that prints in between reads it too.
    private func learn() -> [Redactor] {
        let sources = unread.withLock { $0.sources }
        for (_, source) in sources {
            let redactor = redactors.withLock { redactors in
                if let last = redactors.last, last.ledger.searchedCount >= Self.secretCount {
                    redactors.append(Redactor(redaction))
                }
                return redactors.last
            }
            switch source {
            case .request(let request): _ = redactor?.redact(request.full)
            case .exchange(let interaction): redactor?.learn(interaction)
            }
        }
        if let last = sources.last?.number {
            unread.withLock { unread in unread.sources.removeAll { $0.number <= last } }
        }
        return redactors.withLock { $0 }
    }

    private static let latestCount = 64
    private static let latestSize = 65_536
    private static let secretCount = 256
}

extension Stubber {
    /// A text without secrets of the stubber's traffic, for messages.
    package func printable(_ text: String) -> String { printFilter.printable(text) }

    package func printable(_ request: Interaction.Request) -> Interaction.Request {
        printFilter.printable(request)
    }
}
