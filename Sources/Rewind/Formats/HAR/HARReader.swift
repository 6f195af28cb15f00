import Foundation

/// Reads an archive into a cassette.
struct HARReader {
    private let data: Data
    private let document: JSONDocument
    private let entries: [Result<Interaction, any Error>]

    /// Turns each entry into an interaction as soon as it is parsed, while its tree is at hand, and lets the tree go.
    init(_ data: Data) throws {
        self.data = data
        var entries: [Result<Interaction, any Error>] = []
        document = try JSONDocument(parsing: data, rangesOfElementsAt: ["log", "entries"]) {
            value,
            range,
            index in
            // Where names are duplicated, the last array counts.
            if index == 0 { entries.removeAll() }
            let text = range.lowerBound + data.startIndex..<range.upperBound + data.startIndex
            entries.append(Result { try Self.interaction(value, index, text, of: data) })
        }
        self.entries = document.elementRanges.isEmpty ? [] : entries
    }

    private static func interaction(
        _ value: JSON,
        _ position: Int,
        _ text: Range<Int>,
        of data: Data
    ) throws -> Interaction {
        let field = HARField(value, place: .entry(position, text: text, of: data))
        var interaction = try HAREntry.interaction(field)
        interaction.original = OriginalText(data[text])
        return interaction
    }

    func cassette() throws -> Cassette {
        guard let log = document.root["log"]?.objectValue else {
            throw CassetteProblem.structure(place: "`log`", cause: "a HAR archive has an object of this name")
        }
        if let version = log["version"]?.stringValue, !version.isEmpty,
            version.prefix(while: { $0 != "." }) != "1"
        {
            throw CassetteProblem.structure(
                place: "`log.version`",
                cause: "version \(version) is not known, 1.2 is"
            )
        }
        guard log["entries"]?.arrayValue != nil else {
            throw CassetteProblem.structure(
                place: "`log.entries`",
                cause: "a HAR archive has an array of this name"
            )
        }
        var cassette = Cassette()
        cassette.surroundings = document.root.objectValue ?? JSONObject()
        var frame = log
        frame["entries"] = nil
        cassette.surroundings["log"] = .object(frame)
        cassette.interactions = try entries.map { try $0.get() }
        if !entries.isEmpty,
            cassette.interactions.allSatisfy({ $0.request.method.isEmpty || $0.request.url.isEmpty })
        {
            throw CassetteProblem.structure(place: "`log.entries`", cause: "no entry has a method and a URL")
        }
        return cassette
    }
}

/// A value of an archive that knows its place, so that an error can name it.
struct HARField {
    /// The place of a field: its entry, where that begins, and the names that lead to it.
    ///
    /// It is put into words only where there is an error, for a file has a hundred fields for every entry.
    indirect enum Place {
        case entry(Int, text: Range<Int>, of: Data)
        case member(String, of: Place)
        case element(Int, of: Place)

        var description: String { describe([]) }

        private func describe(_ names: [String]) -> String {
            switch self {
            case .member(let name, let outer): return outer.describe([name] + names)
            case .element(let index, let outer): return outer.describe(["\(index)"] + names)
            case .entry(let entry, let text, let data):
                let before = data[data.startIndex..<text.lowerBound]
                let line = before.count { $0 == UInt8(ascii: "\n") } + 1
                let path = names.isEmpty ? "" : ", `\(names.joined(separator: "."))`"
                return "entry \(entry + 1) (line \(line))\(path)"
            }
        }
    }

    let value: JSON
    private let place: Place

    init(_ value: JSON, place: Place) {
        self.value = value
        self.place = place
    }

    /// The field of a name; `nil` where it is missing or null.
    subscript(name: String) -> HARField? {
        guard let value = value[name] else { return nil }
        if case .null = value { return nil }
        return HARField(value, place: .member(name, of: place))
    }

    /// The object of a name; `nil` where it is missing or null.
    func object(_ name: String) throws -> HARField? {
        try self[name].map { try $0.object() }
    }

    func string() throws -> String {
        guard let string = value.stringValue else { throw problem("expected text") }
        return string
    }

    func double() throws -> Double {
        guard let double = value.doubleValue else { throw problem("expected a number") }
        return double
    }

    /// The number as a whole one; a fraction is cut off, as browsers write sizes as floating point.
    func integer() throws -> Int {
        if let integer = value.integerValue { return integer }
        guard let integer = Int(exactly: try double().rounded(.towardZero)) else {
            throw problem("number out of range")
        }
        return integer
    }

    func elements() throws -> [HARField] {
        guard let elements = value.arrayValue else { throw problem("expected an array") }
        return elements.enumerated().map { HARField($1, place: .element($0, of: place)) }
    }

    func object() throws -> HARField {
        guard value.objectValue != nil else { throw problem("expected an object") }
        return self
    }

    func problem(_ cause: String) -> CassetteProblem {
        .structure(place: place.description, cause: cause)
    }
}
