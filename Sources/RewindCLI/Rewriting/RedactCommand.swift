import Foundation
import Rewind

struct RedactCommand: Subcommand {
    private static let inPlace = Option(
        "--in-place",
        "write the files, each whole or not at all; by default one cassette is printed"
    )
    private static let check = Option(
        "--check",
        "only tell what would be taken out; exit status 1 where there is something"
    )

    static let synopsis = Synopsis(
        name: "redact",
        summary: "take the secrets out of cassettes that are there already",
        operands: [.init("CASSETTE …", "a file, a folder of cassettes, or `-` for standard input", .file)],
        options: [inPlace, check] + RedactionOptions.all,
        discussion: """
            What recordings leave out is taken out: credentials in header fields, cookies, queries, forms, JSON and XML,
            and their copies anywhere. The same secret gets the same placeholder, so that the cassette still plays. What
            looks like a credential after that is an error that names the place, and the file is left as it was. HAR,
            DVR and VCR JSON can be written in place; others are printed as HAR.
            """,
        examples: [
            "rewind redact --in-place Cassettes", "rewind redact browser.har --header X-Tenant-Key > clean.har",
        ]
    )

    private let words: [String]
    private let writes: Bool
    private let onlyChecks: Bool
    private let redaction: Redaction

    init(_ arguments: ParsedArguments) throws {
        words = arguments.operands
        writes = arguments.has(Self.inPlace)
        onlyChecks = arguments.has(Self.check)
        redaction = try RedactionOptions.redaction(arguments)
        if writes, words.contains("-") {
            throw UsageError.badValue("-", of: "CASSETTE", wanted: "a file where `--in-place` is given")
        }
    }

    func run(in console: Console) async throws -> ExitStatus {
        let inputs = try CassetteInput.all(words)
        guard writes || onlyChecks || inputs.count == 1 else {
            let wanted = "one cassette unless `--in-place` or `--check` is given"
            throw UsageError.badValue(words.joined(separator: " "), of: "CASSETTE", wanted: wanted)
        }
        return await console.each(inputs) { input in
            let source = try CassetteSource(input)
            let (format, isPrinted) = (source.writableFormat, !writes && !onlyChecks)
            let url = isPrinted ? nil : source.url
            let file = RedactedFile(source, redaction, as: format ?? .har, at: url)
            let report = file.report
            if !isPrinted {
                let verdict = report.isEmpty ? "nothing to take out" : report.summary
                console.print("\(console.style(.bold, VisibleText.line(source.path))): \(verdict)")
                for line in report.lines { console.print(line) }
            }
            if let left = file.credentialsLeft { throw left }
            if onlyChecks { return report.isEmpty ? .success : .failure }
            if isPrinted {
                console.write(file.document)
            } else if !report.isEmpty {
                guard format != nil else {
                    let path = source.path
                    throw CommandError(
                        description:
                            "\(path) is in the format \(source.format.name), which Rewind does not write, and was left "
                            + "untouched.\n  `rewind convert \(path) --to har` makes an archive of it, without its secrets."
                    )
                }
                try file.write()
            }
            return .success
        }
    }
}

enum RedactionOptions {
    private static let header = Synopsis.Option(
        "--header NAME …",
        "a header field that is secret too; `*` stands for any characters"
    )
    private static let field = Synopsis.Option(
        "--field NAME …",
        "a name in queries, forms, JSON and XML whose value is secret too"
    )
    private static let jsonPath = Synopsis.Option(
        "--json-path PATH …",
        "what a path such as $.user.ssn selects in JSON bodies is secret too"
    )
    private static let value = Synopsis.Option(
        "--value-env VARIABLE …",
        "the value of an environment variable, which becomes <VARIABLE> wherever it stands"
    )
    private static let allow = Synopsis.Option(
        "--allow FINGERPRINT …",
        "what only looks like a credential, by the fingerprint that was told"
    )

    static let all = [header, field, jsonPath, value, allow]

    static func redaction(_ arguments: ParsedArguments) throws -> Redaction {
        var redaction = Redaction.default
        for name in arguments.all(header) { redaction.add(.header(name)) }
        for name in arguments.all(field) { redaction.add(.field(name)) }
        for path in arguments.all(jsonPath) {
            let rule = Redaction.Rule.jsonPath(path)
            if let problem = rule.problem { throw jsonPath.badValue(path, wanted: "a path (\(problem))") }
            redaction.add(rule)
        }
        for name in arguments.all(value) {
            guard let secret = ProcessInfo.processInfo.environment[name], !secret.isEmpty else {
                throw value.badValue(name, wanted: "a variable that is set")
            }
            redaction.replace(secret, with: "<\(name)>")
            if redaction.problem != nil {
                throw value.badValue(name, wanted: "a name of letters, digits and `_`")
            }
        }
        for fingerprint in arguments.all(allow) { redaction.allow(fingerprint) }
        return redaction
    }
}
