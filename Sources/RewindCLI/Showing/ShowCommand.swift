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
        let positions = try range.positions(of: recorded.reel.count)
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
