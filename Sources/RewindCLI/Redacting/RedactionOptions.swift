import Foundation
import Rewind

/// The options that say what is secret beyond what always is.
enum RedactionOptions {
    private static let header = Synopsis.Option(
        name: "--header",
        value: "NAME",
        meaning: "a header field that is secret too; `*` stands for any characters",
        isRepeatable: true
    )
    private static let field = Synopsis.Option(
        name: "--field",
        value: "NAME",
        meaning: "a name in queries, forms, JSON and XML whose value is secret too",
        isRepeatable: true
    )
    private static let jsonPath = Synopsis.Option(
        name: "--json-path",
        value: "PATH",
        meaning: "what a path such as $.user.ssn selects in JSON bodies is secret too",
        isRepeatable: true
    )
    private static let value = Synopsis.Option(
        name: "--value-env",
        value: "VARIABLE",
        meaning: "the value of an environment variable, which becomes <VARIABLE> wherever it stands",
        isRepeatable: true
    )
    private static let allow = Synopsis.Option(
        name: "--allow",
        value: "FINGERPRINT",
        meaning: "what only looks like a credential, by the fingerprint that was told",
        isRepeatable: true
    )

    /// All of them.
    static let all = [header, field, jsonPath, value, allow]

    /// The default redaction with what the words add to it.
    /// - Throws: ``UsageError`` where a word cannot be followed.
    static func redaction(_ arguments: ParsedArguments) throws -> Redaction {
        var redaction = Redaction.default
        for name in arguments.all(header) { redaction.add(.header(name)) }
        for name in arguments.all(field) { redaction.add(.field(name)) }
        for path in arguments.all(jsonPath) {
            let rule = SecretRule.jsonPath(path)
            if let problem = rule.problem {
                throw UsageError.badValue(path, of: jsonPath.name, wanted: "a path (\(problem))")
            }
            redaction.add(rule)
        }
        for name in arguments.all(value) {
            guard let secret = ProcessInfo.processInfo.environment[name], !secret.isEmpty else {
                throw UsageError.badValue(name, of: value.name, wanted: "a variable that is set")
            }
            redaction.replace(secret, with: "<\(name)>")
            if redaction.problem != nil {
                throw UsageError.badValue(name, of: value.name, wanted: "a name of letters, digits and `_`")
            }
        }
        for fingerprint in arguments.all(allow) { redaction.allow(fingerprint) }
        return redaction
    }
}
