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
    private let unread = Locked<[Source]>([])
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
        let size = (interaction.request.body?.count ?? 0) + (interaction.response?.body.count ?? 0)
        add(.exchange(interaction), isKept: isKept, size: size)
    }

    private func add(_ source: Source, isKept: Bool, size: Int) {
        guard isKept || size <= Self.latestSize else { return }
        unread.withLock { unread in
            if !isKept, unread.count >= Self.latestCount { unread.removeFirst() }
            unread.append(source)
        }
    }

    package func printable(_ text: String) -> String {
        redactors.withLock { redactors in
            learn(&redactors)
            let known = redactors.dropLast().reduce(text) { $1.replacingKnown(in: $0) }
            return redactors.last?.printable(known) ?? known
        }
    }

    /// A request to print or to compare with recorded ones in a message.
    package func printable(_ request: Interaction.Request) -> Interaction.Request {
        redactors.withLock { redactors in
            learn(&redactors)
            var shown = Interaction(request: request, outcome: .unknown(reason: ""))
            for redactor in redactors { shown = redactor.replacingKnown(in: shown) }
            if let last = redactors.last { shown.request = last.redact(shown.request) }
            guard let scanner = redactors.last?.credentialScanner else { return shown.request }
            shown = redaction.credentialCheck?.withholding(in: shown) ?? shown
            shown.request.url = PrintedText.withoutCredentials(shown.request.url, scanner)
            return shown.request
        }
    }

    private func learn(_ redactors: inout [Redactor]) {
        let sources = unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
        for source in sources {
            if let last = redactors.last, last.ledger.searchedCount >= Self.secretCount {
                redactors.append(Redactor(redaction))
            }
            guard let redactor = redactors.last else { return }
            switch source {
            case .request(let request): _ = redactor.redact(request.full)
            case .exchange(let interaction): redactor.learn(interaction)
            }
        }
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
