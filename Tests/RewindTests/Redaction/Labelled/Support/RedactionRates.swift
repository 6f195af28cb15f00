import Foundation

@testable import Rewind

/// What redaction does to the labelled values of messages.
struct RedactionRates {
    struct Failure: CustomStringConvertible {
        enum Kind: String {
            /// A secret is still there.
            case leaked
            /// A secret is still there, but the check refuses the save.
            case refused
            /// A harmless value has changed.
            case destroyed
            /// The check refuses the save because of a harmless value.
            case stopped
        }

        let kind: Kind
        let message: LabelledMessage
        let line: Int
        let value: String
        let detail: String

        var description: String {
            let file = "Labelled/Messages/\(message.category).txt:\(line)"
            let shown = value.count > 70 ? value.prefix(70) + "…" : value
            return "\(kind.rawValue) #\(message.number) \(file) [\(message.title)] '\(shown)'\(detail)"
        }
    }

    struct Row {
        var secrets = 0
        var harmless = 0
        var failures: [Failure.Kind: Int] = [:]
    }

    private(set) var rows: [(category: String, row: Row)] = []
    private(set) var failures: [Failure] = []

    /// Redacts each message as a save does, and checks its values.
    init(_ messages: [LabelledMessage], redaction: Redaction = .default) {
        for message in messages {
            let redacted = Redactor(redaction).redact([message.interaction])
            check(message, redacted[0], redaction.credentialCheck)
        }
    }

    /// Checks messages that were redacted elsewhere.
    init(_ pairs: [(message: LabelledMessage, redacted: Interaction)], check: CredentialCheck? = nil) {
        for (message, redacted) in pairs { self.check(message, redacted, check) }
    }

    var total: Row {
        rows.reduce(into: Row()) { total, entry in
            total.secrets += entry.row.secrets
            total.harmless += entry.row.harmless
            total.failures.merge(entry.row.failures, uniquingKeysWith: +)
        }
    }

    private mutating func check(
        _ message: LabelledMessage,
        _ redacted: Interaction,
        _ check: CredentialCheck?
    ) {
        var row = Row()
        let decoded = message.texts(of: redacted).map { ($0.part, DecodedTexts($0.text)) }
        var problems: [Failure] = []
        var leaks: [(value: LabelledValue, detail: String)] = []
        func fail(_ kind: Failure.Kind, _ value: LabelledValue, _ detail: String = "") {
            problems.append(
                Failure(kind: kind, message: message, line: value.line, value: value.value, detail: detail)
            )
        }
        for (part, value) in message.values {
            let texts = decoded.first { $0.0 == part }?.1
            switch value.kind {
            case .secret:
                row.secrets += 1
                if let detail = Self.leak(of: value, in: texts, or: decoded.map(\.1)) {
                    leaks.append((value, detail))
                }
            case .keep:
                row.harmless += 1
                let text = message.text(of: part, in: redacted) ?? ""
                let isKept =
                    value.isEncoded
                    ? texts?.contains(value.inContext) ?? false
                    : Data(text.utf8).range(of: Data(value.inContext.utf8)) != nil
                if !isKept { fail(.destroyed, value) }
            }
        }
        for leak in leaks {
            let others = leaks.map(\.value.value).filter { $0 != leak.value.value }
            let isRefused = check?.refuses(message.removing(others, from: redacted)) ?? false
            fail(isRefused ? .refused : .leaked, leak.value, leak.detail)
        }
        let rest = message.removing(leaks.map(\.value.value), from: redacted)
        if let check, check.refuses(rest), let first = message.values.first {
            let findings = check.findings(in: [rest]).map { "\($0.kind) in \($0.place)" }
            fail(.stopped, first.value, " " + findings.joined(separator: ", "))
        }
        for problem in problems { row.failures[problem.kind, default: 0] += 1 }
        failures += problems
        add(row, to: message.category)
    }

    private mutating func add(_ row: Row, to category: String) {
        if rows.last?.category != category { rows.append((category, Row())) }
        rows[rows.count - 1].row.secrets += row.secrets
        rows[rows.count - 1].row.harmless += row.harmless
        rows[rows.count - 1].row.failures.merge(row.failures, uniquingKeysWith: +)
    }

    /// How a secret is still there; `nil` if it is not.
    private static func leak(of value: LabelledValue, in place: DecodedTexts?, or all: [DecodedTexts])
        -> String?
    {
        let secret = value.value
        // A short value may be somewhere by chance.
        guard secret.utf8.count >= 6 else { return place?.contains(value.inContext) == true ? "" : nil }
        if all.contains(where: { $0.contains(secret) }) { return "" }
        let scalars = Array(secret.unicodeScalars)
        guard scalars.count >= 16 else { return nil }
        let width = max(10, scalars.count / 2)
        for start in stride(from: 0, through: scalars.count - width, by: 1) {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[start..<start + width])
            if all.contains(where: { $0.contains(String(part)) }) { return " (a part of it)" }
        }
        return nil
    }
}

extension CredentialCheck {
    fileprivate func refuses(_ interaction: Interaction) -> Bool { !findings(in: [interaction]).isEmpty }
}

extension RedactionRates {
    /// The table of categories and rates.
    var table: String {
        func cells(_ name: String, _ row: Row) -> [String] {
            func count(_ kinds: Failure.Kind..., of total: Int) -> String {
                let count = kinds.reduce(0) { $0 + row.failures[$1, default: 0] }
                return total == 0
                    ? "" : String(format: "%d (%.1f %%)", count, Double(count) * 100 / Double(total))
            }
            return [
                name, "\(row.secrets)", count(.leaked, of: row.secrets), count(.refused, of: row.secrets),
                "\(row.harmless)", count(.destroyed, .stopped, of: row.harmless),
            ]
        }
        let lines =
            [["category", "secrets", "leaked", "save refused", "harmless", "destroyed"]]
            + rows.map { cells($0.category, $0.row) } + [cells("all", total)]
        let widths = (0..<6).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
