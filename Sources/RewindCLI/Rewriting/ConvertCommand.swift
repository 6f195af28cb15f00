import Foundation
import Rewind

struct ConvertCommand: Subcommand {
    private static let targets: [Target] = [
        ("har", .har, "har"), ("dvr", .dvr, "json"), ("vcr", .vcr, "json"),
    ]
    private typealias Target = (name: String, format: CassetteFormat, fileExtension: String)

    private static let to = Option(
        "--to FORMAT",
        "har, dvr or vcr (JSON of Ruby's VCR)",
        .oneOf(targets.map(\.name)),
        isRequired: true
    )
    private static let output = Option(
        "--output PATH",
        "a file, a folder, or `-` for standard output; default: beside the cassette",
        .file
    )
    private static let inline = Option(
        "--inline",
        "keep all bodies in the archive, for tools that do not read body files"
    )
    private static let force = Option("--force", "overwrite existing files")
    private static let strict = Option(
        "--strict",
        "fail if the format cannot represent something that a replay returns"
    )

    static let synopsis = Synopsis(
        name: "convert",
        summary: "convert cassettes to another format",
        operands: [
            .init("CASSETTE …", "a file in any format, a folder of cassettes, or `-` for standard input", .file)
        ],
        options: [to, output, inline, force, strict] + RedactionOptions.all,
        discussion: """
            Reports everything that the format cannot represent. Redacts secrets like `rewind redact`. A cassette that
            still contains a value that looks like a credential is not written.

            An archive gets what HAR 1.2 requires. Large bodies of other formats go to files beside it. Playwright reads
            such files. Other tools show these bodies as empty: for them, use --inline.
            """,
        examples: [
            "rewind convert Fixtures --to har --output Cassettes/",
            "rewind convert Cassettes/talk.har --to har --inline --output talk.har",
            "rewind convert Cassettes/api.har --to vcr --output - | jq .",
        ]
    )

    private let operands: [String]
    private let target: Target
    private let output: URL?
    private let isPrinted: Bool
    /// Whether the output is a folder: it exists, or its name ends with a slash.
    private let isFolder: Bool
    private let style: HARStyle
    private let overwrites: Bool
    private let isStrict: Bool
    private let redaction: RedactionOptions

    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands
        let name = try arguments.choice(Self.to)
        target = Self.targets.first { $0.name == name } ?? Self.targets[0]
        let place = arguments[Self.output]
        output = place.map { URL(fileURLWithPath: $0) }
        isPrinted = place == "-"
        isFolder = output.map { place?.hasSuffix("/") ?? false || CassetteFolder.isFolder($0) } ?? false
        style = HARStyle(isInline: arguments.has(Self.inline), isComplete: true)
        overwrites = arguments.has(Self.force)
        isStrict = arguments.has(Self.strict)
        redaction = try RedactionOptions(arguments)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let inputs = try CassetteInput.all(operands, notingLinksOn: console)
        guard output == nil || isFolder || inputs.count == 1 else {
            throw UsageError.oneOutput(isPrinted ? "-" : output?.displayPath ?? "", count: inputs.count)
        }
        if isFolder, let output {
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        }
        var taken: Set<String> = []
        return await console.each(inputs) { input in
            let url = place(of: input)
            let source = try CassetteSource(input)
            if let url {
                let isSame = url == source.url && source.format == target.format
                if !overwrites, isSame, !(style.isInline && source.hasBodyFiles) {
                    console.print("\(VisibleText.line(input.path)) is already in this format")
                    return .success
                }
                // Many file systems ignore the case of names.
                guard taken.insert(url.path.lowercased()).inserted else {
                    throw CommandError.outputTaken(input.path, output: url.displayPath)
                }
                guard overwrites || !FileManager.default.fileExists(atPath: url.path) else {
                    throw CommandError.outputExists(input.path, output: url.displayPath)
                }
            }
            try convert(source, redaction.redaction(for: input), to: url, console)
            return .success
        }
    }

    /// The file to write, by default beside the cassette; `nil` for standard output.
    private func place(of input: CassetteInput) -> URL? {
        if isPrinted { return nil }
        let source = input.file?.deletingPathExtension()
        guard let output else { return source?.appendingPathExtension(target.fileExtension) }
        guard isFolder else { return output }
        return output.appendingPathComponent(source?.lastPathComponent ?? "cassette")
            .appendingPathExtension(target.fileExtension)
    }

    private func convert(
        _ source: CassetteSource,
        _ redaction: Redaction,
        to url: URL?,
        _ console: Console
    ) throws {
        let file = RedactedFile(source, redaction, as: target.format, at: url, style: style)
        if let credentials = file.credentials { throw credentials }
        let loss = try ConversionLoss(of: file.cassette, in: target.format, written: file.document)
        if !loss.lines.isEmpty {
            let format = target.format.name
            if isStrict, loss.changesAnswers {
                throw CommandError.lossyConversion(source.path, format: format, losses: loss.lines)
            }
            let lines = ["\(source.path): \(format) cannot represent:"] + loss.lines
            console.printError(lines.joined(separator: "\n"))
        }
        if target.format == .har, let silent = Unanswered(of: file.cassette) {
            console.printError("\(source.path): \(silent.text)")
        }
        let secrets = file.report
        if !secrets.isEmpty {
            let lines = ["\(source.path): redacted \(secrets.summary):"] + secrets.lines
            console.printError(lines.joined(separator: "\n"))
        }
        guard let url else { return console.write(file.document) }
        try file.write()
        let (path, place) = (VisibleText.line(source.path), VisibleText.line(url.displayPath))
        console.print("\(path) → \(console.style(.bold, place))")
    }
}
