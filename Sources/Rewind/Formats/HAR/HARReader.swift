import Foundation

/// Reads an archive into a cassette with all care, so that it can tell what is wrong and where.
struct HARReader {
    private let data: Data
    private let document: JSONDocument
    private let entries: [Result<Interaction, any Error>]
    /// Whether an entry has members for a method and a URL, if only empty ones.
    private let hasRequest: Bool

    /// Turns each entry into an interaction as soon as it is parsed, while its tree is at hand, and lets the tree go.
    init(_ data: Data, _ attachments: Attachments?, atMost limit: Int = .max) throws {
        self.data = data
        var entries: [Result<Interaction, any Error>] = []
        var hasRequest = false
        document = try JSONDocument(parsing: data, rangesOfElementsAt: ["log", "entries"]) {
            value,
            range,
            index in
            // Where names are duplicated, the last array counts.
            if index == 0 { (entries, hasRequest) = ([], false) }
            if !hasRequest, let request = value["request"] {
                hasRequest = request["method"]?.stringValue != nil && request["url"]?.stringValue != nil
            }
            guard index < limit else { return }
            let text = range.lowerBound + data.startIndex..<range.upperBound + data.startIndex
            entries.append(Result { try Self.interaction(value, index, text, of: data, attachments) })
        }
        guard document.elementRanges.count <= limit else { throw CassetteLimits.tooManyInteractions(limit) }
        self.hasRequest = hasRequest
        self.entries = document.elementRanges.isEmpty ? [] : entries
    }

    private static func interaction(
        _ value: JSON,
        _ position: Int,
        _ text: Range<Int>,
        of data: Data,
        _ attachments: Attachments?
    ) throws -> Interaction {
        let field = JSONField(value, place: .text(position, range: text, of: data))
        var interaction = try HAREntry(field, attachments).interaction()
        interaction.original = OriginalText(data[text])
        return interaction
    }

    func cassette() throws -> Cassette {
        var cassette = Cassette()
        cassette.surroundings = try Self.surroundings(of: document.root)
        cassette.interactions = try entries.map { try $0.get() }
        if !entries.isEmpty, !hasRequest {
            throw CassetteProblem.structure(place: "`log.entries`", cause: "no entry has a method and a URL")
        }
        return cassette
    }

    /// What stands around the entries of an archive, after a look at whether it is one.
    static func surroundings(of root: JSON) throws(CassetteProblem) -> JSONObject {
        guard let log = root["log"]?.objectValue else {
            throw .structure(place: "`log`", cause: "a HAR archive has an object of this name")
        }
        if let version = log["version"]?.stringValue, !version.isEmpty,
            version.prefix(while: { $0 != "." }) != "1"
        {
            throw .structure(place: "`log.version`", cause: "version \(version) is not known, 1.2 is")
        }
        guard log["entries"]?.arrayValue != nil else {
            throw .structure(place: "`log.entries`", cause: "a HAR archive has an array of this name")
        }
        var surroundings = root.objectValue ?? JSONObject()
        var frame = log
        frame["entries"] = nil
        surroundings["log"] = .object(frame)
        return surroundings
    }

    /// Reads one entry from the text it stands as.
    static func entry(_ text: Data, _ attachments: Attachments?) throws -> (
        interaction: Interaction, members: JSONObject
    ) {
        let value = try JSON(parsing: text)
        let field = JSONField(value, place: .text(0, range: text.startIndex..<text.endIndex, of: text))
        return (try HAREntry(field, attachments).interaction(), value.objectValue ?? JSONObject())
    }
}
