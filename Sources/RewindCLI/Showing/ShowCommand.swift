import Foundation
import Rewind

struct ShowCommand: Subcommand {
    private static let curl = Option("--curl", "the commands that make the requests again")
    private static let json = Option("--json", "an array of objects, for programs")
    private static let html = Option("--html", "a page for a browser, in one file")
    private static let full = Option("--full", "long bodies to their end")
    private static let output = Option(
        "--output FILE",
        "the file to write to, in place of standard output",
        .file
    )

    static let synopsis = Synopsis(
        name: "show",
        summary: "show what is in a cassette, as a timeline or interaction by interaction",
        operands: [
            .init("FILE", "the cassette, or - for standard input", .file),
            .init("[N]", "the interaction to show in full, or several as in 2-5; a timeline of all by default"),
        ],
        options: [full, curl, json, html, output],
        discussion: """
            Bodies are shown by what they are: JSON and XML indented, forms as tables, multipart by part, text as it is,
            images and other bytes by kind and size. Control characters are written as escapes such as \\u001B.
            """,
        examples: [
            "rewind show Cassettes/UserTests/login.har", "rewind show Cassettes/UserTests/login.har 2",
            "rewind show Cassettes/UserTests/login.har 2 --curl | sh",
            "rewind show Cassettes/UserTests/login.har --html --output login.html",
        ]
    )

    private enum Form: Hashable { case text, curl, json, html }

    private let input: CassetteInput
    /// The numbers of the interactions to show in full; `nil` for a timeline of all.
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
            throw UsageError.badValue(text, of: "N", wanted: "a number or a range such as 2-5, counted from 1")
        }
        return first...last
    }

    func run(in console: Console) async throws -> ExitStatus {
        let recorded = try input.read()
        let count = recorded.interactions.count
        if let range, range.numbers.upperBound > count {
            let wanted = count == 0 ? "nothing, as the cassette is empty" : "a number from 1 to \(count)"
            throw UsageError.badValue(range.text, of: "N", wanted: wanted)
        }
        let positions = range.map { $0.numbers.lowerBound - 1..<$0.numbers.upperBound } ?? 0..<count
        let cassette = ShownCassette(recorded, path: input.path, positions: positions)
        guard let output else {
            console.print(text(of: cassette, console.style))
            return .success
        }
        do {
            try AtomicFile(output).write(Data((text(of: cassette, .plain) + "\n").utf8))
        } catch {
            let advice = "Check that its folder exists, has room and may be written to."
            throw CommandError(
                description:
                    "\(output.displayPath) cannot be written: \(error.localizedDescription)\n  \(advice)"
            )
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

/// An interaction as JSON for programs, in a shape that stays.
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

    /// The number of bytes, and the bytes as text where they are UTF-8 without a NUL, else in base64.
    private static func body(_ body: Interaction.Body?) -> JSON {
        guard let body else { return .null }
        if let text = String(wellFormed: body.data), !text.utf8.contains(0) {
            return ["size": JSON(body.count), "text": .string(text)]
        }
        return ["size": JSON(body.count), "base64": .string(body.data.base64EncodedString())]
    }
}
