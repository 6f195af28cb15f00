import Foundation

/// Says where a secret stands, beyond ``SecretNames``.
///
/// ```swift
/// configuration.redaction.add(.header("X-Tenant-Key"), .field("pin"), .jsonPath("$.user.ssn"))
/// configuration.redaction.add(.pattern("cust_[0-9]{8}", name: "customer").on(host: "*.example.com"))
/// ```
public struct SecretRule: Sendable {
    enum Place: Sendable {
        case header(Glob)
        case field(Glob)
        case jsonPath(JSONPath)
        case pattern(SharedExpression, name: String)
        case values(@Sendable (String) -> [String], name: String)
        case nothing
    }

    let place: Place
    /// The hosts that it is for; all where there is none.
    private(set) var host: Glob?
    /// Why it cannot be followed, where that is so.
    package let problem: String?

    private init(_ place: Place, problem: String? = nil) {
        self.place = place
        self.problem = problem
    }
}

extension SecretRule {
    /// The value of a header field, of requests and responses.
    /// - Parameter name: The field's name, whatever its case, in which `*` stands for any characters.
    /// - Returns: The rule.
    public static func header(_ name: String) -> SecretRule {
        SecretRule(.header(Glob(name, ignoringCase: true)))
    }

    /// The value under a name in queries, forms, multipart forms, JSON at any depth and XML.
    /// - Parameter name: The name, whatever its case and separators, in which `*` stands for any characters.
    /// - Returns: The rule.
    public static func field(_ name: String) -> SecretRule {
        let pattern = name.split(separator: "*", omittingEmptySubsequences: false).map {
            SecretNames.normalized(String($0))
        }
        return SecretRule(.field(Glob(pattern.joined(separator: "*"))))
    }

    /// What a path selects in JSON bodies: strings, numbers, and those in the arrays it selects.
    /// - Parameter path: A path as ``Ignored/jsonPaths(_:)`` takes it. One that cannot be read is an error when the
    ///   stubber is made.
    /// - Returns: The rule.
    public static func jsonPath(_ path: String) -> SecretRule {
        do {
            return SecretRule(.jsonPath(try JSONPath(path)))
        } catch {
            return SecretRule(.nothing, problem: "\(error)")
        }
    }

    /// What a regular expression finds in URLs, header values and text bodies: its first group, or all of it where it
    /// has none.
    /// - Parameters:
    ///   - pattern: The expression, in the syntax of `NSRegularExpression`. One that cannot be read is an error when the
    ///     stubber is made.
    ///   - name: What the placeholder is called.
    /// - Returns: The rule.
    public static func pattern(_ pattern: String, name: String) -> SecretRule {
        guard let expression = SharedExpression(pattern) else {
            return SecretRule(.nothing, problem: "\(pattern.debugDescription) is no regular expression")
        }
        return SecretRule(.pattern(expression, name: name))
    }

    /// The values that a closure finds in URLs, header values and text bodies.
    /// - Parameters:
    ///   - name: What the placeholder is called.
    ///   - values: The secrets that stand in a text, exactly as they stand there.
    /// - Returns: The rule.
    public static func values(
        name: String,
        in values: @escaping @Sendable (_ text: String) -> [String]
    ) -> SecretRule {
        SecretRule(.values(values, name: name))
    }

    /// The same rule, for some hosts only.
    /// - Parameter host: The host, in which `*` stands for any characters.
    /// - Returns: The rule.
    public func on(host: String) -> SecretRule {
        var rule = self
        rule.host = Glob(host, ignoringCase: true)
        return rule
    }
}
