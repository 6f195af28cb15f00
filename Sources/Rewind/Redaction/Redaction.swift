import Foundation

/// Removes secrets from recordings before anything is written.
///
/// ## Overview
/// Rewind replaces each value that has a secret name, such as `Authorization` or `access_token`, with a placeholder such
/// as `REDACTEDaccessTokenN1X`. It looks for the names in header fields, URLs, forms, multipart bodies, XML and JSON at any
/// depth, in requests and responses. A value that is secret in one place is replaced everywhere in the
/// cassette, also if it is percent-encoded, in base64, or escaped for JSON or HTML. The same secret always has the same
/// placeholder, so that the requests of a login still fit together. A live request is redacted in the same way before it
/// is matched.
///
/// If a value still looks like a credential, such as a key with the prefix of a known provider, the cassette is not saved,
/// and the error names the place.
///
/// ## Usage
/// ```swift
/// configuration.redaction.add(.header("X-Account-Key"), .field("pin"))
/// configuration.redaction.replace(ProcessInfo.processInfo.environment["API_KEY"], with: "<API_KEY>")
/// configuration.redaction.keep("session")
/// configuration.redaction.allow("0123456789ab")
/// configuration.redaction = .off
/// ```
///
/// ## Caveats
/// - A value shorter than six characters, a common word, and a number of fewer than ten digits are replaced only where
///   they have a secret name: not everywhere, and not if only a pattern or a closure finds them.
/// - A JSON number with a secret name becomes `0`, so that it stays a number.
/// - In the mode `newEpisodes`, an app may send a placeholder from a replayed response to the live server. Use
///   ``replace(_:with:)`` so that the app gets the real value on replay.
public struct Redaction: Sendable {
    /// Whether the names in ``SecretNames`` are secret.
    let knowsNames: Bool
    private(set) var rules: [Redaction.Rule] = []
    /// Names that are not secret, even if ``SecretNames`` contains them.
    private(set) var keptNames: Set<String> = []
    private(set) var replacements: [SecretReplacement] = []
    /// The fingerprints of values that look like credentials but are not secret.
    package private(set) var allowedFingerprints: Set<String> = []
    /// Whether values that look like credentials stop a save; `true` by default, and `false` for ``off``.
    public var scansForCredentials: Bool
    /// Shared by the redactors of one recording, if its rules no longer change.
    var plainBodies: PlainBodies?

    private init(knowsNames: Bool) {
        self.knowsNames = knowsNames
        scansForCredentials = knowsNames
    }

    /// Replaces the values of the default secret names, and stops a save if a value still looks like a credential.
    public static let `default` = Redaction(knowsNames: true)
    /// Replaces nothing and checks nothing.
    public static let off = Redaction(knowsNames: false)

    /// Adds rules for values that the default secret names do not cover.
    /// - Parameter rules: The rules, such as `.header("X-Account-Key")`.
    public mutating func add(_ rules: Redaction.Rule...) { self.rules += rules }

    /// Excludes names from the default secret names, for example if the `token` of an API is not secret.
    /// - Parameter names: The names of header fields or fields. Letter case and separators (`-`, `_`, `.`, space) do not
    ///   matter.
    public mutating func keep(_ names: String...) {
        keptNames.formUnion(names.map(SecretNames.normalized))
    }

    /// Replaces a known secret with a placeholder when recording, and the placeholder with the secret on replay.
    /// - Parameters:
    ///   - secret: The secret, evaluated when a stubber is created. If it is `nil` or empty, nothing is replaced.
    ///   - placeholder: The placeholder, a name in angle brackets such as `<API_KEY>`.
    public mutating func replace(
        _ secret: @autoclosure @escaping @Sendable () -> String?,
        with placeholder: String
    ) {
        replacements.append(SecretReplacement(secret: secret, placeholder: placeholder))
    }

    /// Allows values that look like credentials but are not secret.
    /// - Parameter fingerprints: The fingerprints of the values: the 12 hexadecimal digits in the error that stopped the save
    ///   (``CassetteError/Finding/fingerprint``).
    public mutating func allow(_ fingerprints: String...) {
        allowedFingerprints.formUnion(fingerprints.map { $0.lowercased() })
    }
}

/// A known secret and its placeholder.
struct SecretReplacement: Sendable {
    /// Returns the secret; `nil` if there is none.
    let secret: @Sendable () -> String?
    let placeholder: String
}

extension Redaction {
    /// The problem of the first invalid rule or placeholder; `nil` if all are valid.
    package var problem: String? {
        let unreadable = replacements.lazy.map(\.placeholder).filter { !Self.isPlaceholder($0) }.map {
            "invalid placeholder '\($0)': expected a name in angle brackets, such as '<API_KEY>', or at least eight letters and digits"
        }
        return rules.lazy.compactMap(\.problem).first ?? unreadable.first
    }

    /// Whether a text can be found again, because it does not occur otherwise.
    private static func isPlaceholder(_ text: String) -> Bool {
        let name = text.hasPrefix("<") && text.hasSuffix(">") ? text.dropFirst().dropLast() : text[...]
        let isLong = name.utf8.count >= (name.utf8.count < text.utf8.count ? 1 : 8)
        return isLong && name.utf8.allSatisfy(ByteSet.dotted.contains)
    }

    /// Whether it calls a closure of the test for the texts that it redacts.
    var hasCallbacks: Bool {
        rules.contains { rule in
            if case .values(_, _, let isCallback) = rule.place { isCallback } else { false }
        }
    }

    /// The same redaction with its secrets evaluated, so that no code of the test runs later.
    var evaluated: Redaction {
        guard !replacements.isEmpty else { return self }
        var evaluated = self
        evaluated.replacements = replacements.map { replacement in
            let secret = replacement.secret()
            return SecretReplacement(secret: { secret }, placeholder: replacement.placeholder)
        }
        return evaluated
    }

    /// The known secrets, each as a redaction of its own, with its placeholder.
    package var knownValues: [(placeholder: String, redaction: Redaction)] {
        replacements.map { replacement in
            var redaction = Redaction.off
            redaction.replacements = [replacement]
            return (replacement.placeholder, redaction)
        }
    }

    var namedSecrets: [String: Placeholder] {
        replacements.reduce(into: [:]) { secrets, replacement in
            guard let secret = replacement.secret(), !secret.isEmpty else { return }
            secrets[secret] = Placeholder(chosen: replacement.placeholder)
        }
    }
}

extension Redaction {
    /// A rule for secrets that the default secret names do not cover.
    ///
    /// ```swift
    /// configuration.redaction.add(.header("X-Account-Key"), .field("pin"), .jsonPath("$.user.ssn"))
    /// configuration.redaction.add(.pattern("cust_[0-9]{8}", name: "customer").on(host: "*.example.com"))
    /// ```
    public struct Rule: Sendable {
        enum Place: Sendable {
            case header(Glob)
            case field(Glob)
            case jsonPath(JSONPath)
            case values(@Sendable (String) -> [String], name: String, isCallback: Bool)
            case nothing
        }

        let place: Place
        /// The host to which the rule applies; `nil` for all hosts.
        private(set) var host: Glob?
        package let problem: String?

        private init(_ place: Place, problem: String? = nil) {
            self.place = place
            self.problem = problem
        }

        /// Redacts the values of a header field in requests and responses.
        /// - Parameter name: The case-insensitive name of the field; `*` matches any characters.
        /// - Returns: The rule.
        public static func header(_ name: String) -> Redaction.Rule {
            Redaction.Rule(.header(Glob(name, ignoringCase: true)))
        }

        /// Redacts the values of a name in queries, forms, multipart forms, XML and JSON at any depth.
        /// - Parameter name: The name; `*` matches any characters. Letter case and separators (`-`, `_`, `.`, space) do not
        ///   matter.
        /// - Returns: The rule.
        public static func field(_ name: String) -> Redaction.Rule {
            let pattern = name.split(separator: "*", omittingEmptySubsequences: false).map {
                SecretNames.normalized(String($0))
            }
            return Redaction.Rule(.field(Glob(pattern.joined(separator: "*"))))
        }

        /// Redacts the values that a JSON path selects in JSON bodies: strings, numbers, and those inside a selected array or
        /// object.
        /// - Parameter path: A path as in ``RequestMatcher/Ignored/jsonPaths(_:)``, such as `$.user.ssn`. If it is invalid,
        ///   creating the stubber throws ``Stubber/ConfigurationError``.
        /// - Returns: The rule.
        public static func jsonPath(_ path: String) -> Redaction.Rule {
            do {
                return Redaction.Rule(.jsonPath(try JSONPath(path)))
            } catch { return Redaction.Rule(.nothing, problem: "\(error)") }
        }

        /// Redacts the matches of a regular expression in URLs, header values and text bodies.
        /// - Parameters:
        ///   - pattern: The pattern of an `NSRegularExpression`. If it has a group, only the first group is redacted. If it is
        ///     invalid, creating the stubber throws ``Stubber/ConfigurationError``.
        ///   - name: The name of the placeholder.
        /// - Returns: The rule.
        public static func pattern(_ pattern: String, name: String) -> Redaction.Rule {
            guard let expression = SharedExpression(pattern)
            else {
                return Redaction.Rule(.nothing, problem: "invalid regular expression '\(pattern)'")
            }
            return Redaction.Rule(.values({ expression.values(in: $0) }, name: name, isCallback: false))
        }

        /// Redacts the values that a closure finds in URLs, header values and text bodies.
        /// - Parameters:
        ///   - name: The name of the placeholder.
        ///   - values: Returns the secrets in a text, exactly as they occur in it. It is called on any thread.
        /// - Returns: The rule.
        public static func values(
            name: String,
            in values: @escaping @Sendable (_ text: String) -> [String]
        ) -> Redaction.Rule {
            Redaction.Rule(.values(values, name: name, isCallback: true))
        }

        /// Limits the rule to requests to some hosts, and their responses.
        /// - Parameter host: The case-insensitive host; `*` matches any characters.
        /// - Returns: The limited rule.
        public func on(host: String) -> Redaction.Rule {
            var rule = self
            rule.host = Glob(host, ignoringCase: true)
            return rule
        }
    }
}
