import Foundation
import Rewind

struct ConvertCommand: Subcommand {
    private static let targets: [Target] = [
        ("har", .har, "har"), ("dvr", .dvr, "json"), ("vcr", .vcr, "json"),
    ]
    private typealias Target = (name: String, format: CassetteFormat, fileExtension: String)

    private static let to = Option(
        "--to FORMAT",
        "har, dvr or vcr (the JSON of Ruby's VCR)",
        .oneOf(targets.map(\.name)),
        isRequired: true
    )
    private static let output = Option(
        "--output PATH",
        "a file, a folder or `-` for standard output; beside the cassette by default",
        .file
    )
    private static let force = Option("--force", "write over a file that is there; by default it is left alone")
    private static let strict = Option(
        "--strict",
        "do not write what would answer otherwise than the cassette does"
    )

    static let synopsis = Synopsis(
        name: "convert",
        summary: "write cassettes in another format",
        operands: [
            .init("CASSETTE …", "a file in any format, a folder of cassettes, or `-` for standard input", .file)
        ],
        options: [to, output, force, strict] + RedactionOptions.all,
        discussion: """
            What the format cannot hold is told. Secrets are taken out as by `rewind redact`, so that what is written has
            none; a cassette that still holds what looks like a credential is not written.
            """,
        examples: [
            "rewind convert Fixtures --to har --output Cassettes/",
            "rewind convert Cassettes/api.har --to vcr --output - | jq .",
        ]
    )

    private let words: [String]
    private let target: Target
    private let output: URL?
    private let isPrinted: Bool
    /// Whether the output is a folder, one that is there or whose name ends in a slash.
    private let isFolder: Bool
    private let overwrites: Bool
    private let isStrict: Bool
    private let redaction: Redaction

    init(_ arguments: ParsedArguments) throws {
        words = arguments.operands
        let name = try arguments.choice(Self.to)
        target = Self.targets.first { $0.name == name } ?? Self.targets[0]
        let place = arguments[Self.output]
        output = place.map { URL(fileURLWithPath: $0) }
        isPrinted = place == "-"
        isFolder = output.map { place?.hasSuffix("/") ?? false || CassetteFolder.isFolder($0) } ?? false
        overwrites = arguments.has(Self.force)
        isStrict = arguments.has(Self.strict)
        redaction = try RedactionOptions.redaction(arguments)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let inputs = try CassetteInput.all(words)
        guard output == nil || isFolder || inputs.count == 1 else {
            let wanted = "one cassette where all would go to one place"
            throw UsageError.badValue(words.joined(separator: " "), of: "CASSETTE", wanted: wanted)
        }
        if isFolder, let output {
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        }
        var taken: Set<String> = []
        return await console.each(inputs) { input in
            let url = place(of: input)
            let source = try CassetteSource(input)
            if let url {
                if !overwrites, url == source.url, source.format == target.format {
                    console.print("\(VisibleText.line(input.path)) is in that format already")
                    return .success
                }
                // On many disks names that differ only in case are one.
                guard taken.insert(url.path.lowercased()).inserted else {
                    throw CommandError(
                        description:
                            "\(input.path) was not converted, as another of these cassettes goes to \(url.displayPath).\n"
                            + "  Convert it by itself, and name another place with --output."
                    )
                }
                guard overwrites || !FileManager.default.fileExists(atPath: url.path) else {
                    throw CommandError(
                        description:
                            "\(input.path) was not converted, as \(url.displayPath) is there already.\n"
                            + "  Name another place with --output, or write over it with --force."
                    )
                }
            }
            try convert(source, to: url, console)
            return .success
        }
    }

    /// The file for a cassette, beside the one it was read from by default; `nil` for standard output.
    private func place(of input: CassetteInput) -> URL? {
        if isPrinted { return nil }
        let source = input.file?.deletingPathExtension()
        guard let output else { return source?.appendingPathExtension(target.fileExtension) }
        guard isFolder else { return output }
        return output.appendingPathComponent(source?.lastPathComponent ?? "cassette")
            .appendingPathExtension(target.fileExtension)
    }

    private func convert(_ source: CassetteSource, to url: URL?, _ console: Console) throws {
        let file = RedactedFile(source, redaction, as: target.format, at: url)
        if let left = file.credentialsLeft { throw left }
        let loss = try ConversionLoss(of: file.cassette, in: target.format, written: file.document)
        if !loss.lines.isEmpty {
            let text = (["\(source.path): \(target.format.name) cannot hold"] + loss.lines).joined(
                separator: "\n"
            )
            if isStrict, loss.changesAnswers {
                throw CommandError(description: "\(text)\n  It was not converted, as --strict is given.")
            }
            console.complain(text)
        }
        let secrets = file.report
        if !secrets.isEmpty {
            let lines = ["\(source.path): took out \(secrets.summary)"] + secrets.lines
            console.complain(lines.joined(separator: "\n"))
        }
        guard let url else { return console.write(file.document) }
        try file.write()
        let (path, place) = (VisibleText.line(source.path), VisibleText.line(url.displayPath))
        console.print("\(path) → \(console.style(.bold, place))")
    }
}
