import Rewind

/// The arguments of one call of a subcommand, checked against its synopsis.
struct ParsedArguments: Hashable, Sendable {
    private(set) var operands: [String] = []
    /// The command after `--`, with its arguments; empty if there is none.
    private(set) var command: [String] = []

    private var values: [String: [String]] = [:]

    init(_ arguments: [String], of synopsis: Synopsis) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--", synopsis.takesCommand {
                guard !rest.isEmpty else { throw UsageError.missingCommand }
                command = Array(rest)
                break
            }
            if argument.hasPrefix("-"), argument != "-" {
                try take(argument, &rest, synopsis.options)
            } else {
                operands.append(argument)
            }
        }
        try check(synopsis)
    }

    /// The last value of an option: empty if the option takes no value, `nil` if it was not given.
    subscript(option: Synopsis.Option) -> String? { values[option.name]?.last }

    /// All values of an option, in order and unchanged.
    func all(_ option: Synopsis.Option) -> [String] { values[option.name] ?? [] }

    /// All values of an option, with lists split at their commas.
    func list(_ option: Synopsis.Option) -> [String] { (values[option.name] ?? []).flatMap(ListText.items) }

    func has(_ option: Synopsis.Option) -> Bool { self[option] != nil }

    /// The value of an option as a number from `minimum` to the largest one of its type.
    func number<Number: FixedWidthInteger>(
        _ option: Synopsis.Option,
        as type: Number.Type,
        from minimum: Number = .min
    ) throws -> Number? {
        guard let text = self[option] else { return nil }
        guard let number = Number(text), number >= minimum else {
            throw option.invalidValue(text, expected: "\(minimum)–\(Number.max)")
        }
        return number
    }

    func choice(_ option: Synopsis.Option) throws -> String? { try self[option].map { try option.checked($0) } }

    func choices(_ option: Synopsis.Option) throws -> [String] {
        try list(option).map { try option.checked($0) }
    }

    private mutating func take(
        _ argument: String,
        _ rest: inout ArraySlice<String>,
        _ options: [Synopsis.Option]
    ) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        let name = parts.first ?? argument
        guard let option = options.first(where: { $0.name == name }) else {
            throw UsageError.unknownOption(name, nearest: NearestName.of(name, among: options.map(\.name)))
        }
        guard values[name] == nil || option.isRepeatable else { throw UsageError.repeatedOption(name) }
        if option.value == nil {
            guard parts.count == 1 else { throw UsageError.unwantedValue(name) }
            values[name] = [""]
        } else {
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError.missingValue(name)
            }
            values[name, default: []].append(value)
        }
    }

    private func check(_ synopsis: Synopsis) throws {
        let required = synopsis.operands.filter { !$0.isOptional }
        if operands.count < required.count {
            throw UsageError.missingOperand(synopsis.operands[operands.count].name)
        }
        let isRepeated = synopsis.operands.last?.isRepeated ?? false
        if operands.count > synopsis.operands.count, !isRepeated {
            throw UsageError.unexpectedOperand(operands[synopsis.operands.count])
        }
        for option in synopsis.options where option.isRequired && !has(option) {
            throw UsageError.missingOption(option.name)
        }
    }
}

enum ListText {
    /// The items without surrounding spaces. A comma in quotes does not split, as in `$['a,b']`.
    static func items(_ text: String) -> [String] {
        var quote: Character?
        let items = text.split { character in
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            }
            return character == "," && quote == nil
        }
        return items.map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
