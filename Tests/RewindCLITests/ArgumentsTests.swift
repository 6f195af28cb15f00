import Testing

@testable import RewindCLI

struct ArgumentsTests {
    private static let size = Synopsis.Option("--size N", "a number")
    private static let file = Synopsis.Option("--file FILE", "a file", isRequired: true)
    private static let loud = Synopsis.Option("--loud", "more noise")
    private static let without = Synopsis.Option("--without PART …", "a part to omit")

    private static let synopsis = Synopsis(
        name: "try",
        summary: "try something",
        operands: [.init("THING", "what is tried")],
        options: [size, file, loud, without],
        takesCommand: true,
        examples: []
    )

    private func parse(_ line: String) throws -> ParsedArguments {
        try ParsedArguments(line.split(separator: " ").map(String.init), of: Self.synopsis)
    }

    @Test("Options can be before, between or after operands, with a space or '=' before the value")
    func parsesOptionsAnywhere() throws {
        for line in ["a --file f --loud", "--file=f --loud a", "--loud a --file f"] {
            let parsed = try parse(line)
            #expect(parsed.operands == ["a"])
            #expect(parsed[Self.file] == "f")
            #expect(parsed.has(Self.loud))
            #expect(!parsed.has(Self.size))
        }
        #expect(try parse("a --file=x=y")[Self.file] == "x=y")
        #expect(try parse("a --file=")[Self.file] == "")
    }

    @Test("Arguments after -- belong to the command")
    func keepsTheCommand() throws {
        let parsed = try parse("a --file f -- ls --size -x -- b")
        #expect(parsed.command == ["ls", "--size", "-x", "--", "b"])
        #expect(parsed.operands == ["a"])
        #expect(throws: UsageError.missingCommand) { try parse("a --file f --") }
    }

    @Test("A repeatable option collects its values and splits lists at commas")
    func collectsRepeatedValues() throws {
        #expect(try parse("a --file f").list(Self.without).isEmpty)
        #expect(try parse("a --file f --without x").list(Self.without) == ["x"])
        let parsed = try parse("a --without x,y --file f --without=$['p,q'],, --without z")
        #expect(parsed.list(Self.without) == ["x", "y", "$['p,q']", "z"])
        #expect(parsed[Self.without] == "z")
        #expect(Help.of(Self.synopsis).contains("[--without PART] …"))
        #expect(ListText.items(#" a , $["b,c"] ,$['d,e"#) == ["a", #"$["b,c"]"#, "$['d,e"])
        #expect(throws: UsageError.missingValue("--without")) { try parse("a --file f --without") }
    }

    static let mistakes: [(String, UsageError)] = [
        ("", .missingOperand("THING")),
        ("a", .missingOption("--file")),
        ("a b --file f", .unexpectedOperand("b")),
        ("a --file", .missingValue("--file")),
        ("a --file f --file g", .repeatedOption("--file")),
        ("a --file f --loud=1", .unwantedValue("--loud")),
        ("a --file f --sise 3", .unknownOption("--sise", nearest: "--size")),
        ("a --file f -l", .unknownOption("-l", nearest: nil)),
        ("a --file f --completely-else", .unknownOption("--completely-else", nearest: nil)),
    ]

    @Test("An invalid command line throws the error that names the argument", arguments: mistakes)
    func rejectsMistakes(_ line: String, _ error: UsageError) {
        #expect(throws: error) { try parse(line) }
        #expect(!error.description.hasSuffix("."))
    }

    @Test("A number must be valid and in range")
    func readsNumbers() throws {
        #expect(try parse("a --file f --size 255").number(Self.size, as: UInt8.self) == 255)
        #expect(try parse("a --file f").number(Self.size, as: UInt8.self) == nil)
        for text in ["256", "-1", "x", "1.5"] {
            let parsed = try parse("a --file f --size=\(text)")
            #expect(throws: UsageError.self) { try parsed.number(Self.size, as: UInt8.self) }
        }
        #expect(throws: UsageError.invalidValue("0", of: "--size", expected: "1–255")) {
            try parse("a --file f --size=0").number(Self.size, as: UInt8.self, from: 1)
        }
    }

    @Test("A misspelled name suggests the most similar one")
    func suggestsNames() {
        let names = ["demo", "serve", "record"]
        #expect(NearestName.of("dmeo", among: names) == "demo")
        #expect(NearestName.of("servr", among: names) == "serve")
        #expect(NearestName.of("recrod", among: names) == "record")
        #expect(NearestName.of("frobnicate", among: names) == nil)
        #expect(NearestName.of("", among: []) == nil)
    }

    @Test("The help of each subcommand lists all operands, options and examples")
    func listsEverythingInHelp() {
        for subcommand in CommandLineTool.subcommands {
            let synopsis = subcommand.synopsis
            let help = Help.of(synopsis)
            #expect(help.contains("USAGE: rewind \(synopsis.name)"))
            for option in synopsis.options {
                #expect(help.contains(option.name) && help.contains(option.meaning))
            }
            for operand in synopsis.operands { #expect(help.contains(operand.meaning)) }
            #expect(CommandLineTool.overview.contains("\(synopsis.name) "))
            #expect(!synopsis.summary.hasSuffix("."))
            #expect(synopsis.examples.allSatisfy { $0.hasPrefix("rewind \(synopsis.name) ") })
            #expect(!synopsis.examples.isEmpty && help.contains(synopsis.examples[0]))
        }
    }
}
