import Foundation

/// Takes secrets out of all that is recorded, before anything is written.
///
/// ## Overview
/// What stands under the names of the default secret names is replaced by a placeholder such as `<access_token:1>`, in header
/// fields, URLs, forms, JSON at any depth, XML and multipart, in requests and responses. A value found secret in one
/// place is replaced wherever else it stands on the cassette, in whatever spelling: percent-encoded, in base64, escaped
/// for JSON or HTML. The same secret has the same placeholder, so that the requests of a login still belong
/// together. A live request passes through the same redaction before it is matched.
///
/// What looks like a credential after all that, such as a key with the prefix of a known provider, stops the save with
/// an error that names the place.
///
/// ## Usage
/// ```swift
/// configuration.redaction.add(.header("X-Tenant-Key"), .field("pin"))
/// configuration.redaction.replace(ProcessInfo.processInfo.environment["API_KEY"], with: "<API_KEY>")
/// configuration.redaction.keep("session")
/// configuration.redaction.allow("0123456789ab")
/// configuration.redaction = .off
/// ```
///
/// ## Caveats
/// - A value shorter than six characters, a common word, and a number of fewer than ten digits are replaced under their
///   name only.
/// - A number under a secret name becomes `0`, so that it stays a number.
/// - In mode `newEpisodes` a live server is sent what the app has, also where that is a placeholder it was played;
///   ``replace(_:with:)`` gives such an app the real value.
public struct Redaction: Sendable {
    /// Whether the names of the default secret names are secret.
    let knowsNames: Bool
    private(set) var rules: [Redaction.Rule] = []
    /// Names that are not secret, whatever the default secret names says.
    private(set) var keptNames: Set<String> = []
    private(set) var replacements: [SecretReplacement] = []
    /// Of values that only look like credentials.
    private(set) var allowedFingerprints: Set<String> = []
    /// Whether a save is stopped by what looks like a credential; `true` by default.
    public var scansForCredentials: Bool

    private init(knowsNames: Bool) {
        self.knowsNames = knowsNames
        scansForCredentials = knowsNames
    }

    /// Takes out what the default secret names lists, and looks for what else looks like a credential.
    public static let `default` = Redaction(knowsNames: true)
    /// Takes out nothing and looks for nothing.
    public static let off = Redaction(knowsNames: false)

    /// Makes more places secret.
    public mutating func add(_ rules: Redaction.Rule...) { self.rules += rules }

    /// Excludes names from redaction, such as a `token` that is a word of a text.
    /// - Parameter names: Names of header fields or fields in the default secret names, without regard to case and separators.
    public mutating func keep(_ names: String...) {
        keptNames.formUnion(names.map(SecretNames.normalized))
    }

    /// Writes a placeholder wherever a secret stands, and hands the secret back where the placeholder is played.
    /// - Parameters:
    ///   - secret: The value; nothing is replaced while it is `nil` or empty. It is asked for when a stubber is made.
    ///   - placeholder: What is written instead, such as `<API_KEY>`.
    public mutating func replace(
        _ secret: @autoclosure @escaping @Sendable () -> String?,
        with placeholder: String
    ) {
        replacements.append(SecretReplacement(secret: secret, placeholder: placeholder))
    }

    /// Lets values be written that look like credentials and are none.
    /// - Parameter fingerprints: Their fingerprints, which the error names that stopped the save.
    public mutating func allow(_ fingerprints: String...) {
        allowedFingerprints.formUnion(fingerprints.map { $0.lowercased() })
    }
}

/// A value with a placeholder that the test names.
struct SecretReplacement: Sendable {
    /// `nil` while there is no value.
    let secret: @Sendable () -> String?
    let placeholder: String
}

extension Redaction {
    /// The first rule's problem, if a rule cannot be applied.
    package var problem: String? {
        let unreadable = replacements.lazy.map(\.placeholder).filter { Placeholder($0) == nil }.map {
            "\($0.debugDescription) is no placeholder; write one like \"<API_KEY>\""
        }
        return rules.lazy.compactMap(\.problem).first ?? unreadable.first
    }

    var namedSecrets: [String: Placeholder] {
        replacements.reduce(into: [:]) { secrets, replacement in
            guard let secret = replacement.secret(), !secret.isEmpty else { return }
            secrets[secret] = Placeholder(replacement.placeholder)
        }
    }
}

extension Redaction {
    /// Says where a secret stands, beyond the default secret names.
    ///
    /// ```swift
    /// configuration.redaction.add(.header("X-Tenant-Key"), .field("pin"), .jsonPath("$.user.ssn"))
    /// configuration.redaction.add(.pattern("cust_[0-9]{8}", name: "customer").on(host: "*.example.com"))
    /// ```
    public struct Rule: Sendable {
        enum Place: Sendable {
            case header(Glob)
            case field(Glob)
            case jsonPath(JSONPath)
            case values(@Sendable (String) -> [String], name: String)
            case nothing
        }

        let place: Place
        /// `nil` for all hosts.
        private(set) var host: Glob?
        package let problem: String?

        private init(_ place: Place, problem: String? = nil) {
            self.place = place
            self.problem = problem
        }

        /// The value of a header field, of requests and responses.
        /// - Parameter name: The field's name, whatever its case, in which `*` matches any characters.
        /// - Returns: The rule.
        public static func header(_ name: String) -> Redaction.Rule {
            Redaction.Rule(.header(Glob(name, ignoringCase: true)))
        }

        /// The value under a name in queries, forms, multipart forms, JSON at any depth and XML.
        /// - Parameter name: The name, whatever its case and separators, in which `*` matches any characters.
        /// - Returns: The rule.
        public static func field(_ name: String) -> Redaction.Rule {
            let pattern = name.split(separator: "*", omittingEmptySubsequences: false).map {
                SecretNames.normalized(String($0))
            }
            return Redaction.Rule(.field(Glob(pattern.joined(separator: "*"))))
        }

        /// What a path selects in JSON bodies: strings, numbers, and those in the arrays it selects.
        /// - Parameter path: A path as in ``RequestMatcher/Ignored/jsonPaths(_:)``; an unreadable one is an error of the stubber.
        /// - Returns: The rule.
        public static func jsonPath(_ path: String) -> Redaction.Rule {
            do {
                return Redaction.Rule(.jsonPath(try JSONPath(path)))
            } catch { return Redaction.Rule(.nothing, problem: "\(error)") }
        }

        /// What a regular expression, or its first group, finds in URLs, header values and text bodies.
        /// - Parameters:
        ///   - pattern: An `NSRegularExpression`; an unreadable one is an error when the stubber is made.
        ///   - name: What the placeholder is called.
        /// - Returns: The rule.
        public static func pattern(_ pattern: String, name: String) -> Redaction.Rule {
            guard let expression = SharedExpression(pattern)
            else {
                return Redaction.Rule(.nothing, problem: "\(pattern.debugDescription) is no regular expression")
            }
            return Redaction.Rule(.values({ expression.values(in: $0) }, name: name))
        }

        /// The values that a closure finds in URLs, header values and text bodies.
        /// - Parameters:
        ///   - name: What the placeholder is called.
        ///   - values: The secrets that stand in a text, exactly as they stand there.
        /// - Returns: The rule.
        public static func values(
            name: String,
            in values: @escaping @Sendable (_ text: String) -> [String]
        ) -> Redaction.Rule {
            Redaction.Rule(.values(values, name: name))
        }

        /// The same rule, for some hosts only.
        /// - Parameter host: The host, in which `*` matches any characters.
        /// - Returns: The rule.
        public func on(host: String) -> Redaction.Rule {
            var rule = self
            rule.host = Glob(host, ignoringCase: true)
            return rule
        }
    }
}
