import Foundation
import Rewind

/// `rewind show`: what is in a cassette.
struct ShowCommand: Subcommand {
    private static let curl = Synopsis.Option(
        name: "--curl",
        meaning: "the commands that make the requests again"
    )
    private static let json = Synopsis.Option(name: "--json", meaning: "an array of objects, for programs")
    private static let html = Synopsis.Option(name: "--html", meaning: "a page for a browser, in one file")
    private static let full = Synopsis.Option(name: "--full", meaning: "long bodies to their end")
    private static let output = Synopsis.Option(
        name: "--output",
        value: "FILE",
        meaning: "the file to write to, in place of standard output",
        kind: .file
    )

    static let synopsis = Synopsis(
        name: "show",
        summary: "show what is in a cassette, as a timeline or interaction by interaction",
        operands: [
            .init(name: "FILE", meaning: "the cassette, or - for standard input", kind: .file),
            .init(
                name: "N",
                meaning: "the interaction to show in full, or several as in 2-5; a timeline of all by default",
                isOptional: true
            ),
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

    /// The ways to show a cassette.
    private enum Form: Hashable {
        case text, curl, json, html
    }

    private let input: CassetteInput
    private let range: InteractionRange
    private let form: Form
    private let isFull: Bool
    private let output: ShowOutput

    init(_ arguments: ParsedArguments) throws {
        input = CassetteInput(arguments.operands[0])
        range = try arguments.operands.dropFirst().first.map(InteractionRange.init) ?? .all
        let forms: [(Synopsis.Option, Form)] = [(Self.curl, .curl), (Self.json, .json), (Self.html, .html)]
        let chosen = forms.filter { arguments.has($0.0) }
        if chosen.count > 1 { throw UsageError.excludedOption(chosen[1].0.name, by: chosen[0].0.name) }
        form = chosen.first?.1 ?? .text
        isFull = arguments.has(Self.full)
        output = arguments[Self.output].map { .file(URL(fileURLWithPath: $0)) } ?? .console
    }

    func run(in console: Console) async throws -> ExitStatus {
        let recorded = try input.read()
        let positions = try range.positions(of: recorded.interactions.count)
        let cassette = ShownCassette(recorded, path: input.path, positions: positions)
        try output.write(text(of: cassette, output == .console ? console.style : .plain), to: console)
        return .success
    }

    private func text(of cassette: ShownCassette, _ style: TextStyle) -> String {
        switch form {
        case .text where range.isAll: return Timeline(cassette).text(style)
        case .text:
            let text = InteractionText(style, limit: isFull ? nil : .terminal)
            return cassette.interactions.map {
                text.text($0.interaction, number: $0.number, of: cassette.count)
            }
            .joined(separator: "\n\n")
        case .curl:
            return cassette.interactions.map { number, interaction in
                let title = "# \(number): " + VisibleText.line(interaction.request.description)
                let command = CurlCommand(interaction).text
                return cassette.interactions.count == 1 ? command : title + "\n" + command
            }.joined(separator: "\n\n")
        case .json:
            let objects = cassette.interactions.map { ShownInteraction.json($0.interaction, number: $0.number) }
            return VisibleText.json(.array(objects))
        case .html: return HTMLPage(cassette, limit: isFull ? nil : .page).text
        }
    }
}

/// Which interactions of a cassette are meant, by numbers counted from one: `3`, `2-5`, or all.
struct InteractionRange: Hashable, Sendable {
    private let numbers: ClosedRange<Int>?
    private let text: String

    static let all = InteractionRange()

    private init() {
        (numbers, text) = (nil, "")
    }

    init(_ text: String) throws {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, 1 <= first, first <= last else {
            throw UsageError.badValue(text, of: "N", wanted: "a number or a range such as 2-5, counted from 1")
        }
        (numbers, self.text) = (first...last, text)
    }

    var isAll: Bool { numbers == nil }

    /// The positions, counted from zero, in a cassette with so many interactions.
    func positions(of count: Int) throws -> Range<Int> {
        guard let numbers else { return 0..<count }
        guard numbers.upperBound <= count else {
            let wanted = count == 0 ? "nothing, as the cassette is empty" : "a number from 1 to \(count)"
            throw UsageError.badValue(text, of: "N", wanted: wanted)
        }
        return numbers.lowerBound - 1..<numbers.upperBound
    }
}

/// Where the output of a subcommand goes: standard output, or a file that is replaced whole or not at all.
enum ShowOutput: Hashable, Sendable {
    case console
    case file(URL)

    func write(_ text: String, to console: Console) throws {
        guard case .file(let url) = self else { return console.print(text) }
        do {
            try AtomicFile(url).write(Data((text + "\n").utf8))
        } catch {
            throw UnwritableOutput(path: url.displayPath, cause: error.localizedDescription)
        }
    }
}

/// A file that could not be written.
struct UnwritableOutput: Error, CustomStringConvertible {
    let path: String
    let cause: String

    var description: String {
        "\(path) cannot be written: \(cause)\n  Check that its folder exists, has room and may be written to."
    }
}

/// An interaction as JSON for programs, in a shape that stays.
enum ShownInteraction {
    /// The object of an interaction of a number, counted from one.
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

    private static func response(_ response: Response) -> JSON {
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
    private static func body(_ body: Body?) -> JSON {
        guard let body else { return .null }
        if let text = String(wellFormed: body.data), !text.utf8.contains(0) {
            return ["size": JSON(body.count), "text": .string(text)]
        }
        return ["size": JSON(body.count), "base64": .string(body.data.base64EncodedString())]
    }
}
