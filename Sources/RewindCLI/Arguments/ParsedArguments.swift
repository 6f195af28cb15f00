import Rewind

struct ParsedArguments: Hashable, Sendable {
    private(set) var operands: [String] = []
    /// The command after `--`; empty where there is none.
    private(set) var command: [String] = []

    private var values: [String: [String]] = [:]

    init(_ words: [String], of synopsis: Synopsis) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--", synopsis.takesCommand {
                guard !rest.isEmpty else { throw UsageError.missingCommand }
                command = Array(rest)
                break
            }
            if word.hasPrefix("-"), word != "-" {
                try take(word, &rest, synopsis.options)
            } else {
                operands.append(word)
            }
        }
        try check(synopsis)
    }

    /// The last value of an option: empty for one that takes no value, `nil` where it is missing.
    subscript(option: Synopsis.Option) -> String? { values[option.name]?.last }

    /// All values of an option, in order and as they are.
    func all(_ option: Synopsis.Option) -> [String] { values[option.name] ?? [] }

    /// All values of an option, those between commas one by one.
    func list(_ option: Synopsis.Option) -> [String] { (values[option.name] ?? []).flatMap(ListText.items) }

    func has(_ option: Synopsis.Option) -> Bool { self[option] != nil }

    func number<Number: FixedWidthInteger>(_ option: Synopsis.Option, as type: Number.Type) throws -> Number? {
        guard let text = self[option] else { return nil }
        guard let number = Number(text) else {
            throw option.badValue(text, wanted: "a number from \(Number.min) to \(Number.max)")
        }
        return number
    }

    func choice(_ option: Synopsis.Option) throws -> String? { try self[option].map { try option.checked($0) } }

    func choices(_ option: Synopsis.Option) throws -> [String] {
        try list(option).map { try option.checked($0) }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ options: [Synopsis.Option])
        throws
    {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? word
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
        let isOpen = synopsis.operands.last?.isRepeated ?? false
        if operands.count > synopsis.operands.count, !isOpen {
            throw UsageError.unexpectedOperand(operands[synopsis.operands.count])
        }
        for option in synopsis.options where option.isRequired && !has(option) {
            throw UsageError.missingOption(option.name)
        }
    }
}

enum ListText {
    /// The items without white space around them; a comma between quotes divides nothing, as in `$['a,b']`.
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
