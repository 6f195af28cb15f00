import Foundation
import Rewind

/// `rewind convert`: writes cassettes in another format.
struct ConvertCommand: Subcommand {
    private static let to = Synopsis.Option(
        name: "--to",
        value: "FORMAT",
        meaning: "har, dvr or vcr (the JSON of Ruby's VCR)",
        kind: .oneOf(ConversionTarget.all.map(\.name)),
        isRequired: true
    )
    private static let output = Synopsis.Option(
        name: "--output",
        value: "PATH",
        meaning: "a file, a folder or `-` for standard output; beside the cassette by default",
        kind: .file
    )
    private static let force = Synopsis.Option(
        name: "--force",
        meaning: "write over a file that is there; by default it is left alone"
    )
    private static let strict = Synopsis.Option(
        name: "--strict",
        meaning: "do not write what would answer otherwise than the cassette does"
    )

    static let synopsis = Synopsis(
        name: "convert",
        summary: "write cassettes in another format",
        operands: [
            .init(
                name: "CASSETTE",
                meaning: "a file in any format, a folder of cassettes, or `-` for standard input",
                kind: .file,
                isRepeated: true
            )
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
    private let target: ConversionTarget
    private let output: ConversionOutput
    private let overwrites: Bool
    private let isStrict: Bool
    private let redaction: Redaction

    init(_ arguments: ParsedArguments) throws {
        words = arguments.operands
        let name = try arguments.choice(Self.to)
        target = ConversionTarget.all.first { $0.name == name } ?? ConversionTarget.all[0]
        output = ConversionOutput(arguments[Self.output])
        overwrites = arguments.has(Self.force)
        isStrict = arguments.has(Self.strict)
        redaction = try RedactionOptions.redaction(arguments)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let inputs = try CassetteInput.all(words)
        guard output.takesSeveral || inputs.count == 1 else {
            throw UsageError.badValue(
                words.joined(separator: " "),
                of: "CASSETTE",
                wanted: "one cassette where all would go to one place"
            )
        }
        if case .folder(let folder) = output {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        var taken: Set<String> = []
        return await console.each(inputs) { input in
            let url = output.url(for: input, target)
            let source = try CassetteSource(input)
            if let url {
                if !overwrites, url == source.url, source.format == target.format {
                    console.print("\(VisibleText.line(input.path)) is in that format already")
                    return .success
                }
                // On many disks names that differ only in case are one.
                guard taken.insert(url.path.lowercased()).inserted else {
                    throw ConversionError.twice(input.path, url.displayPath)
                }
                guard overwrites || !FileManager.default.fileExists(atPath: url.path) else {
                    throw ConversionError.exists(input.path, url.displayPath)
                }
            }
            try convert(source, input, to: url, console)
            return .success
        }
    }

    private func convert(
        _ source: CassetteSource,
        _ input: CassetteInput,
        to url: URL?,
        _ console: Console
    ) throws {
        let conversion = try Conversion(source, input.path, to: target.format, at: url, redaction)
        let place = url?.displayPath ?? "standard output"
        if !conversion.loss.lines.isEmpty {
            let lines = ["\(input.path): \(target.format.name) cannot hold"] + conversion.loss.lines
            if isStrict, conversion.loss.changesAnswers {
                throw ConversionError.loses(lines.joined(separator: "\n"))
            }
            console.complain(lines.joined(separator: "\n"))
        }
        let secrets = conversion.report
        if !secrets.isEmpty {
            console.complain(
                ([input.path + ": took out " + secrets.summary] + secrets.lines).joined(separator: "\n")
            )
        }
        if url == nil {
            console.write(conversion.document)
        } else {
            try conversion.write()
            console.print("\(VisibleText.line(input.path)) → \(console.style(.bold, VisibleText.line(place)))")
        }
    }
}

/// A format that cassettes are converted to, by the word for it.
struct ConversionTarget: Sendable {
    let name: String
    let format: any WritableCassetteFormat.Type
    let fileExtension: String

    static let all = [
        ConversionTarget(name: "har", format: HARFormat.self, fileExtension: "har"),
        ConversionTarget(name: "dvr", format: DVRFormat.self, fileExtension: "json"),
        ConversionTarget(name: "vcr", format: VCRFormat.self, fileExtension: "json"),
    ]
}

/// Where a converted cassette goes.
enum ConversionOutput: Sendable {
    /// Beside the file it was read from, which is standard output where that was standard input.
    case beside
    case file(URL)
    /// Into a folder, under the name of the file it was read from.
    case folder(URL)
    case standardOutput

    /// Takes the word of the call; a folder is one that is there, or ends in a slash.
    init(_ word: String?) {
        guard let word else {
            self = .beside
            return
        }
        let url = URL(fileURLWithPath: word)
        if word == "-" {
            self = .standardOutput
        } else {
            self = word.hasSuffix("/") || CassetteFolder.isFolder(url) ? .folder(url) : .file(url)
        }
    }

    var takesSeveral: Bool {
        switch self {
        case .beside, .folder: true
        case .file, .standardOutput: false
        }
    }

    /// The file for a cassette; `nil` for standard output.
    func url(for source: CassetteInput, _ target: ConversionTarget) -> URL? {
        switch (self, source) {
        case (.standardOutput, _), (.beside, .standardInput): return nil
        case (.file(let url), _): return url
        case (.beside, .file(let file)):
            return file.deletingPathExtension().appendingPathExtension(target.fileExtension)
        case (.folder(let folder), let source):
            let name =
                if case .file(let file) = source {
                    file.deletingPathExtension().lastPathComponent
                } else {
                    "cassette"
                }
            return folder.appendingPathComponent(name).appendingPathExtension(target.fileExtension)
        }
    }
}
