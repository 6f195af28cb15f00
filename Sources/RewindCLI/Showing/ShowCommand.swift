import Foundation
import Rewind

struct ShowCommand: Subcommand {
    private static let curl = Option("--curl", "print curl commands that send the requests again")
    private static let json = Option("--json", "print a JSON array")
    private static let html = Option("--html", "print a self-contained HTML page")
    private static let full = Option("--full", "do not shorten long bodies")
    private static let output = Option(
        "--output FILE",
        "write to a file instead of standard output",
        .file
    )

    static let synopsis = Synopsis(
        name: "show",
        summary: "show the contents of a cassette, as a timeline or in full",
        operands: [
            .init("FILE", "a cassette, by its path or as `list` prints it, or `-` for standard input", .file),
            .init("[N]", "the interaction to show in full, or a range such as 2-5; default: a timeline of all"),
        ],
        options: [full, curl, json, html, output],
        discussion: """
            JSON and XML bodies are indented. Forms are shown as tables, and multipart bodies part by part. For images and
            other binary data, only the format and the size are shown. Control characters are escaped, as in \\u001B.
            """,
        examples: [
            "rewind show Cassettes/UserTests/login.har", "rewind show Cassettes/UserTests/login.har 2",
            "rewind show Cassettes/UserTests/login.har 2 --curl | sh",
            "rewind show Cassettes/UserTests/login.har --html --output login.html",
        ]
    )

    private enum Form: Hashable { case text, curl, json, html }

    private let input: CassetteInput
    /// The interactions to show in full; `nil` for a timeline of all.
    private let range: (text: String, numbers: ClosedRange<Int>)?
    private let form: Form
    private let isFull: Bool
    private let output: URL?

    init(_ arguments: ParsedArguments) throws {
        input = CassetteInput(arguments.operands[0])
        range = try arguments.operands.dropFirst().first.map { ($0, try Self.numbers($0)) }
        let forms: [(Synopsis.Option, Form)] = [(Self.curl, .curl), (Self.json, .json), (Self.html, .html)]
        let chosen = forms.filter { arguments.has($0.0) }
        if chosen.count > 1 { throw UsageError.excludedOption(chosen[1].0.name, by: chosen[0].0.name) }
        form = chosen.first?.1 ?? .text
        isFull = arguments.has(Self.full)
        output = arguments[Self.output].map { URL(fileURLWithPath: $0) }
    }

    private static func numbers(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, 1 <= first, first <= last else {
            throw UsageError.invalidValue(text, of: "N", expected: "a number from 1, or a range such as 2-5")
        }
        return first...last
    }

    func run(in console: Console) async throws -> ExitStatus {
        let recorded = try input.read()
        let count = recorded.interactions.count
        if let range, range.numbers.upperBound > count {
            throw UsageError.outOfRange(range.text, of: "N", count: count)
        }
        let positions = range.map { $0.numbers.lowerBound - 1..<$0.numbers.upperBound } ?? 0..<count
        let cassette = ShownCassette(recorded, path: input.path, positions: positions)
        guard let output else {
            // A reader such as `head` may close the pipe early; that is not an error.
            try? write(cassette, console.style, to: FileHandle.standardOutput.write(contentsOf:))
            return .success
        }
        do {
            try AtomicFile(output).write { file in try write(cassette, .plain, to: file) }
        } catch {
            throw CommandError.unwritable(output.displayPath, cause: SystemCallError.cause(of: error))
        }
        return .success
    }

    /// Writes one interaction after the other, because a cassette may be larger than the memory for all of them.
    private func write(
        _ cassette: ShownCassette,
        _ style: TextStyle,
        to output: @escaping (Data) throws -> Void
    ) throws {
        var pieces = BufferedOutput(output)
        switch form {
        case .text where range == nil: try pieces.write(Timeline(cassette: cassette).text(style))
        case .text:
            let text = InteractionText(style: style, limit: isFull ? nil : .terminal)
            for (number, interaction) in cassette.interactions {
                if number > cassette.positions.lowerBound + 1 { try pieces.write("\n\n") }
                try pieces.write(text.text(interaction, number: number, of: cassette.count))
            }
        case .curl:
            for (number, interaction) in cassette.interactions {
                if number > cassette.positions.lowerBound + 1 { try pieces.write("\n\n") }
                let title = "# \(number): \(VisibleText.line(interaction.request.description))\n"
                try pieces.write((cassette.positions.count == 1 ? "" : title) + CurlCommand(interaction).text)
            }
        case .json:
            for (number, interaction) in cassette.interactions {
                try pieces.write(number > cassette.positions.lowerBound + 1 ? "," : "[")
                try pieces.write(ShownInteraction.text(interaction, number: number))
            }
            try pieces.write(cassette.positions.isEmpty ? "[]" : "\n]")
        case .html:
            try HTMLPage(cassette: cassette, limit: isFull ? nil : .page).write { try pieces.write($0) }
        }
        try pieces.write("\n")
        try pieces.flush()
    }
}

/// Collects small pieces of text before they are written.
private struct BufferedOutput {
    private let output: (Data) throws -> Void
    private var buffer = Data()

    init(_ output: @escaping (Data) throws -> Void) { self.output = output }

    mutating func write(_ text: String) throws { try write(Data(text.utf8)) }

    mutating func write(_ data: Data) throws {
        if data.count >= Self.limit {
            try flush()
            return try output(data)
        }
        buffer.append(data)
        if buffer.count >= Self.limit { try flush() }
    }

    mutating func flush() throws {
        guard !buffer.isEmpty else { return }
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private static let limit = 1 << 18
}

/// An interaction as JSON, in a stable format.
enum ShownInteraction {
    /// The text of an element of an array, after a line feed.
    static func text(_ interaction: Interaction, number: Int) -> Data {
        var writer = JSONWriter(elementsAtDepth: 1)
        writer.object { writer in
            writer.member("number", JSON(number))
            writer.member("startedAt", startedAt(interaction))
            writer.member("request") { write(interaction.request, to: &$0) }
            if let response = interaction.recordedResponse {
                let isUnread = !interaction.isReplayable && response.body.isEmpty
                writer.member("response") { write(response, body: isUnread ? nil : response.body, to: &$0) }
            } else {
                writer.member("response", .null)
            }
            writer.member("failure", failure(interaction.outcome))
            writer.member(
                "timing",
                ["wait": JSON(interaction.timing.wait), "receive": JSON(interaction.timing.receive)]
            )
            writer.member("redacted", .array(interaction.redactedPlaces.map(JSON.string)))
        }
        return VisibleText.json(writer.elements())
    }

    private static func startedAt(_ interaction: Interaction) -> JSON {
        interaction.startedAt == .distantPast ? .null : .string(HARDate.text(interaction.startedAt))
    }

    private static func write(_ request: Interaction.Request, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("method", text: request.method)
            writer.member("url", text: request.url)
            writer.member("httpVersion", text: request.httpVersion)
            write(request.headers, request.body, to: &writer)
            if let absence = request.bodyAbsence { writer.member("bodyAbsence", text: absence) }
        }
    }

    private static func write(
        _ response: Interaction.Response,
        body: Interaction.Body?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("status", JSON(response.status))
            writer.member("statusText", text: response.statusText)
            writer.member("httpVersion", text: response.httpVersion)
            write(response.headers, body, to: &writer)
            if let url = response.url { writer.member("url", text: url) }
        }
    }

    /// Writes the header fields and the body: its size, and the bytes as text if they are UTF-8 without NUL, else in
    /// base64.
    private static func write(_ headers: HeaderList, _ body: Interaction.Body?, to writer: inout JSONWriter) {
        writer.member("headers") { writer in
            writer.array { writer in
                for field in headers.fields { writer.pair(field.name, field.value) }
            }
        }
        guard let body else { return writer.member("body", .null) }
        writer.member("body") { writer in
            writer.object { writer in
                writer.member("size", JSON(body.count))
                if WellFormedUTF8.isAll(of: body.data), !body.data.contains(0) {
                    writer.member("text", utf8: body.data)
                } else {
                    writer.member("base64", utf8: body.data.base64EncodedData())
                }
            }
        }
    }

    private static func failure(_ outcome: Interaction.Outcome) -> JSON {
        switch outcome {
        case .response: .null
        case .failure(let failure, _):
            [
                "domain": .string(failure.domain), "code": JSON(failure.code),
                "message": .string(failure.message),
            ]
        case .unknown(let reason): ["domain": "Rewind", "code": 0, "message": .string(reason)]
        }
    }
}
