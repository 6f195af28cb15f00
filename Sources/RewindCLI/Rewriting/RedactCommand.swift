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
            rewritten in place; other formats are printed as HAR. Of a file <name>.refused, which contains a recording that
            was not saved, the cassette is written.
            """,
        examples: [
            "rewind redact --in-place Cassettes",
            "rewind redact browser.har --redact header:X-Client-Key > clean.har",
            "rewind redact api.refused --allow 0123456789ab",
        ]
    )

    private let operands: [String]
    private let writes: Bool
    private let onlyChecks: Bool
    private let options: RedactionOptions

    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands
        writes = arguments.has(Self.inPlace)
        onlyChecks = arguments.has(Self.check)
        options = try RedactionOptions(arguments)
        if writes, operands.contains("-") {
            throw UsageError.excludedOption(Self.inPlace.name, by: "standard input")
        }
    }

    func run(in console: Console) async throws -> ExitStatus {
        let inputs = try CassetteInput.all(operands, notingLinksOn: console)
        let printed = inputs.filter { $0.file.map { !RefusedRecording.isOne($0) } ?? true }
        guard writes || onlyChecks || printed.count <= 1 else {
            throw UsageError.onePrinted(count: printed.count)
        }
        var (checked, found) = (0, 0)
        let status = await console.each(inputs) { input in
            let redaction = try options.redaction(for: input)
            if let url = input.file, RefusedRecording.isOne(url) {
                return try save(RefusedRecording(contentsOf: url), redaction, console)
            }
            let source = try CassetteSource(input)
            let (format, isPrinted) = (source.writableFormat, !writes && !onlyChecks)
            let url = isPrinted ? nil : source.url
            let file = RedactedFile(source, redaction, as: format ?? .har, at: url)
            let report = file.report
            if !isPrinted {
                let isWritten = writes && format != nil && file.credentials == nil
                let verdict = (isWritten ? "redacted " : "") + report.summary
                let path = console.style(.bold, VisibleText.line(source.path))
                checked += 1
                if !report.isEmpty || file.credentials != nil { found += 1 }
                if !report.isEmpty { console.print("\(path): \(verdict)") }
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
        if checked > 0 { console.print(Self.total(found, of: checked)) }
        return status
    }

    private static func total(_ found: Int, of count: Int) -> String {
        let cassettes = Counted.text(count, "cassette")
        return found == 0 ? "No secrets found in \(cassettes)." : "Found secrets in \(found) of \(cassettes)."
    }

    /// Saves a recording that was refused, unless a value still looks like a credential.
    private func save(_ recording: RefusedRecording, _ redaction: Redaction, _ console: Console) throws
        -> ExitStatus
    {
        let count = Counted.text(recording.count, "interaction")
        if onlyChecks {
            if let problem = recording.problem(redaction) { throw problem }
            console.print("\(VisibleText.line(recording.url.displayPath)): \(count) can be saved")
            return .success
        }
        let file = try recording.save(redaction, matchers: .default)
        console.print("saved \(count) to \(console.style(.bold, VisibleText.line(file.displayPath)))")
        return .success
    }
}
