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
            console.printContent(text(of: cassette, console.style))
            return .success
        }
        do {
            try AtomicFile(output).write(Data((text(of: cassette, .plain) + "\n").utf8))
        } catch {
            throw CommandError.unwritable(output.displayPath, cause: SystemCallError.cause(of: error))
        }
        return .success
    }

    private func text(of cassette: ShownCassette, _ style: TextStyle) -> String {
        let interactions = cassette.interactions
        switch form {
        case .text where range == nil: return Timeline(cassette: cassette).text(style)
        case .text:
            let text = InteractionText(style: style, limit: isFull ? nil : .terminal)
            return interactions.map { text.text($0.interaction, number: $0.number, of: cassette.count) }
                .joined(separator: "\n\n")
        case .curl:
            return interactions.map { number, interaction in
                let title = "# \(number): \(VisibleText.line(interaction.request.description))\n"
                return (interactions.count == 1 ? "" : title) + CurlCommand(interaction).text
            }.joined(separator: "\n\n")
        case .json:
            let objects = interactions.map { ShownInteraction.json($0.interaction, number: $0.number) }
            return VisibleText.json(.array(objects))
        case .html: return HTMLPage(cassette: cassette, limit: isFull ? nil : .page).text
        }
    }
}

/// An interaction as JSON, in a stable format.
enum ShownInteraction {
    static func json(_ interaction: Interaction, number: Int) -> JSON {
        let request = interaction.request
        return [
            "number": JSON(number),
            "startedAt": interaction.startedAt == .distantPast
                ? .null : .string(HARDate.text(interaction.startedAt)),
            "request": [
                "method": .string(request.method), "url": .string(request.url),
                "httpVersion": .string(request.httpVersion), "headers": headers(request.headers),
                "body": body(request.body),
            ],
            "response": interaction.response.map(response) ?? .null,
            "failure": failure(interaction.outcome),
            "timing": ["wait": JSON(interaction.timing.wait), "receive": JSON(interaction.timing.receive)],
            "redacted": .array(interaction.redactedPlaces.map(JSON.string)),
        ]
    }

    private static func response(_ response: Interaction.Response) -> JSON {
        [
            "status": JSON(response.status), "statusText": .string(response.statusText),
            "httpVersion": .string(response.httpVersion), "headers": headers(response.headers),
            "body": body(response.body),
        ]
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

    private static func headers(_ headers: HeaderList) -> JSON {
        .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    /// The size, and the bytes as text if they are UTF-8 without NUL, else in base64.
    private static func body(_ body: Interaction.Body?) -> JSON {
        guard let body else { return .null }
        if let text = String(wellFormed: body.data), !text.utf8.contains(0) {
            return ["size": JSON(body.count), "text": .string(text)]
        }
        return ["size": JSON(body.count), "base64": .string(body.data.base64EncodedString())]
    }
}
