import Foundation

/// A rule of redaction as text: the value of an option of the command, or a line in a file of rules.
package enum RuleText: Sendable {
    case redact(Redaction.Rule)
    case keep(String)
    case allow(String)

    /// Why a text is not a rule.
    package struct Problem: Error, Hashable, Sendable {
        /// The column in the text, counted from 1.
        package var column: Int
        /// What is expected there, or what is wrong.
        package let cause: String

        fileprivate func shifted(by count: Int) -> Problem { Problem(column: column + count, cause: cause) }
    }

    /// Reads a place to redact, such as `header:X-Team-Key` or `field:pin on host:*.example.com`.
    package init(redacting text: String) throws(Problem) {
        let (place, host) = try Self.withoutHost(text)
        let rule = try Self.rule(place)
        self = .redact(host.map { rule.on(host: $0) } ?? rule)
    }

    /// Reads a name whose values are not secret.
    package init(notSecret text: String) throws(Problem) {
        self = .keep(try Self.name(text, "the name of a header field or a field"))
    }

    /// Reads the fingerprint of a value that only looks like a credential.
    package init(allowing text: String) throws(Problem) {
        guard text.utf8.count == 12, text.utf8.allSatisfy(Hexadecimal.isDigitOfEitherCase) else {
            throw Problem(column: 1, cause: "expected a fingerprint of 12 hexadecimal digits")
        }
        self = .allow(text)
    }

    /// Reads a line of a file, such as `redact field:pin`; `nil` if it is empty or a comment.
    package init?(line: some StringProtocol) throws(Problem) {
        let start = line.prefix { $0 == " " || $0 == "\t" }.count
        let text = line.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        let word = text.prefix { $0 != " " && $0 != "\t" }
        let rest = text[word.endIndex...].drop { $0 == " " || $0 == "\t" }
        let offset = start + text.distance(from: text.startIndex, to: rest.startIndex)
        do throws(Problem) {
            switch word {
            case "redact": try self.init(redacting: String(rest))
            case "keep": try self.init(notSecret: String(rest))
            case "allow": try self.init(allowing: String(rest))
            default:
                throw Problem(column: 1 - offset + start, cause: "expected 'redact', 'keep' or 'allow'")
            }
        } catch { throw error.shifted(by: offset) }
    }

    /// Splits a limit to some hosts from the end of a text.
    private static func withoutHost(_ text: String) throws(Problem) -> (place: String, host: String?) {
        let mark = " on host:"
        guard let range = text.range(of: mark, options: .backwards) else { return (text, nil) }
        let host = String(text[range.upperBound...])
        // A regular expression may contain the words.
        if host.contains(" "), text.hasPrefix("pattern:") { return (text, nil) }
        guard !host.isEmpty, !host.contains(where: { " \t/:".contains($0) }) else {
            let column = text.distance(from: text.startIndex, to: range.upperBound) + 1
            throw Problem(column: column, cause: "expected a host such as *.example.com")
        }
        return (String(text[..<range.lowerBound]), host)
    }

    private static func rule(_ text: String) throws(Problem) -> Redaction.Rule {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else {
            throw Problem(column: 1, cause: "expected \(Kind.list)")
        }
        let value = parts[1]
        do throws(Problem) {
            return try rule(kind, value)
        } catch { throw error.shifted(by: kind.rawValue.count + 1) }
    }

    private static func rule(_ kind: Kind, _ value: String) throws(Problem) -> Redaction.Rule {
        switch kind {
        case .header:
            let name = try name(value, "the name of a header field")
            guard name.isToken else {
                throw Problem(column: 1, cause: "expected the name of a header field")
            }
            return .header(name)
        case .field: return .field(try name(value, "the name of a query item, a form field or a member"))
        case .path:
            do {
                _ = try JSONPath(value)
            } catch { throw Problem(column: error.column, cause: error.problem.rawValue) }
            return .jsonPath(value)
        case .pattern:
            let rule = Redaction.Rule.pattern(value, name: "secret")
            guard !value.isEmpty, rule.problem == nil else {
                throw Problem(column: 1, cause: "expected a regular expression")
            }
            return rule
        }
    }

    private static func name(_ text: String, _ expected: String) throws(Problem) -> String {
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else {
            throw Problem(column: 1, cause: "expected \(expected)")
        }
        return text
    }

    private enum Kind: String, CaseIterable {
        case header, field, path, pattern

        static let list = "header:NAME, field:NAME, path:JSONPATH or pattern:REGEX"
    }
}

extension Redaction {
    package mutating func add(_ text: RuleText) {
        switch text {
        case .redact(let rule): add(rule)
        case .keep(let name): keep(name)
        case .allow(let fingerprint): allow(fingerprint)
        }
    }
}
