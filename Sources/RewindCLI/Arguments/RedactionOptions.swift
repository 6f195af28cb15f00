import Foundation
import Rewind

/// The rules of redaction that options add to the default ones and to those of files.
struct RedactionOptions: Sendable {
    private static let redact = Synopsis.Option(
        "--redact RULE …",
        "also redact header:NAME, field:NAME, path:JSONPATH or pattern:REGEX"
    )
    private static let keep = Synopsis.Option(
        "--keep NAME …",
        "do not treat values with this name as secrets"
    )
    private static let allow = Synopsis.Option(
        "--allow FINGERPRINT …",
        "ignore the value with this fingerprint; it is not a credential"
    )
    private static let value = Synopsis.Option(
        "--value-env VARIABLE …",
        "replace the value of this environment variable with <VARIABLE> everywhere"
    )

    static let all = [redact, keep, allow, value]

    private let redaction: Redaction

    init(_ arguments: ParsedArguments) throws {
        var redaction = Redaction.default
        for text in arguments.all(Self.redact) {
            redaction.add(try Self.rule(Self.redact, shown: text, RuleText(redacting: text)))
        }
        for name in arguments.list(Self.keep) {
            redaction.add(try Self.rule(Self.keep, shown: name, RuleText(notSecret: name)))
        }
        for fingerprint in arguments.list(Self.allow) {
            // The user may have written the value itself.
            redaction.add(try Self.rule(Self.allow, shown: nil, RuleText(allowing: fingerprint)))
        }
        for name in arguments.all(Self.value) {
            guard let secret = ProcessInfo.processInfo.environment[name], !secret.isEmpty else {
                throw Self.value.invalidValue(name, expected: "an environment variable that is set")
            }
            redaction.replace(secret, with: "<\(name)>")
            if redaction.problem != nil {
                throw Self.value.invalidValue(name, expected: "a name of letters, digits and '_'")
            }
        }
        self.redaction = redaction
    }

    /// The rules without those of files, which a stubber adds itself.
    var withoutFiles: Redaction { redaction }

    /// The rules for a cassette, with those of the files in its folder and in the folders above it.
    func redaction(for input: CassetteInput) throws -> Redaction {
        let folder = input.file?.deletingLastPathComponent()
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        return try redaction.withRules(for: folder ?? here)
    }

    private static func rule(
        _ option: Synopsis.Option,
        shown text: String?,
        _ read: @autoclosure () throws(RuleText.Problem) -> RuleText
    ) throws -> RuleText {
        do throws(RuleText.Problem) {
            return try read()
        } catch { throw UsageError.invalidRule(text, of: option.name, error) }
    }
}
