import Foundation
import Rewind

struct RedactCommand: Subcommand {
    private static let inPlace = Option(
        "--in-place",
        "rewrite the files atomically; without it, one cassette is printed"
    )
    private static let check = Option(
        "--check",
        "only report what would be redacted; exit with 1 if there is anything"
    )

    static let synopsis = Synopsis(
        name: "redact",
        summary: "redact the secrets in existing cassettes",
        operands: [.init("CASSETTE …", "a file, a folder of cassettes, or `-` for standard input", .file)],
        options: [inPlace, check] + RedactionOptions.all,
        discussion: """
            Redacts what a recording would: credentials in headers, cookies, queries, forms, JSON and XML, and copies of
            them anywhere. The same secret gets the same placeholder, so the cassette still replays. If a value still
            looks like a credential, the file is not changed, and an error names the place. HAR, DVR and VCR JSON can be
            rewritten in place; other formats are printed as HAR.
            """,
        examples: [
            "rewind redact --in-place Cassettes", "rewind redact browser.har --header X-Client-Key > clean.har",
        ]
    )

    private let operands: [String]
    private let writes: Bool
    private let onlyChecks: Bool
    private let redaction: Redaction

    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands
        writes = arguments.has(Self.inPlace)
        onlyChecks = arguments.has(Self.check)
        redaction = try RedactionOptions.redaction(arguments)
        if writes, operands.contains("-") {
            throw UsageError.excludedOption(Self.inPlace.name, by: "standard input")
        }
    }

    func run(in console: Console) async throws -> ExitStatus {
        let inputs = try CassetteInput.all(operands)
        guard writes || onlyChecks || inputs.count == 1 else {
            throw UsageError.onePrinted(count: inputs.count)
        }
        return await console.each(inputs) { input in
            let source = try CassetteSource(input)
            let (format, isPrinted) = (source.writableFormat, !writes && !onlyChecks)
            let url = isPrinted ? nil : source.url
            let file = RedactedFile(source, redaction, as: format ?? .har, at: url)
            let report = file.report
            if !isPrinted {
                let isWritten = writes && format != nil && file.credentials == nil
                let verdict = (isWritten ? "redacted " : "") + report.summary
                let path = console.style(.bold, VisibleText.line(source.path))
                if !report.isEmpty || file.credentials == nil {
                    console.print("\(path): \(report.isEmpty ? "no secrets found" : verdict)")
                }
                for line in report.lines { console.print(line) }
            }
            if let credentials = file.credentials { throw credentials }
            if onlyChecks { return report.isEmpty ? .success : .failure }
            if isPrinted {
                console.write(file.document)
            } else if !report.isEmpty {
                guard format != nil else {
                    throw CommandError.readOnlyFormat(source.path, format: source.format.name)
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
        "also redact this header field; `*` matches any characters"
    )
    private static let field = Synopsis.Option(
        "--field NAME …",
        "also redact values with this name in queries, forms, JSON and XML"
    )
    private static let jsonPath = Synopsis.Option(
        "--json-path PATH …",
        "also redact this JSON path in bodies, such as $.user.ssn"
    )
    private static let value = Synopsis.Option(
        "--value-env VARIABLE …",
        "replace the value of this environment variable with <VARIABLE> everywhere"
    )
    private static let allow = Synopsis.Option(
        "--allow FINGERPRINT …",
        "ignore the value with this fingerprint; it is not a credential"
    )

    static let all = [header, field, jsonPath, value, allow]

    static func redaction(_ arguments: ParsedArguments) throws -> Redaction {
        var redaction = Redaction.default
        for name in arguments.all(header) { redaction.add(.header(name)) }
        for name in arguments.all(field) { redaction.add(.field(name)) }
        for path in arguments.all(jsonPath) {
            do {
                _ = try JSONPath(path)
            } catch {
                throw UsageError.invalidPath(path, of: jsonPath.name, error)
            }
            redaction.add(.jsonPath(path))
        }
        for name in arguments.all(value) {
            guard let secret = ProcessInfo.processInfo.environment[name], !secret.isEmpty else {
                throw value.invalidValue(name, expected: "an environment variable that is set")
            }
            redaction.replace(secret, with: "<\(name)>")
            if redaction.problem != nil {
                throw value.invalidValue(name, expected: "a name of letters, digits and '_'")
            }
        }
        for fingerprint in arguments.all(allow) { redaction.allow(fingerprint) }
        return redaction
    }
}
