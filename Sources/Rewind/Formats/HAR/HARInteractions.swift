import Foundation

/// The interactions of an archive, decoded from its text on demand.
struct HARInteractions: InteractionList {
    /// The archive without its entries.
    let surroundings: JSONObject
    private let text: Data
    private let entries: [EntryOffsets]
    private let isOfRewind: Bool
    /// The interactions that cannot be decoded later, because decoding may throw or a body file may be deleted.
    private let made: [Int: Interaction]

    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    init(_ text: Data, _ attachments: Attachments?, limits: CassetteLimits = .default) throws {
        let limit = limits.maximumInteractions
        guard text.count <= Int(UInt32.max) else {
            throw CassetteError.Problem.tooLarge("it has more than \(UInt32.max) bytes")
        }
        let archive: ArchiveScanner
        do throws(JSONError) {
            archive = try ArchiveScanner.archive(text, atMost: limit)
        } catch {
            throw CassetteError.Problem(error)
        }
        guard archive.count <= limit else { throw CassetteLimits.tooManyInteractions(limit) }
        self.text = text
        entries = archive.entries
        surroundings = try Self.surroundings(of: text, without: archive.entriesRange)
        let isOfRewind = surroundings["log"]?["creator"]?["name"]?.stringValue == RecordedCassette.creator
        self.isOfRewind = isOfRewind
        var made: [Int: Interaction] = [:]
        var budget = InflationBudget(limits)
        try text.withUnsafeBytes { bytes in
            // The lines are counted once, because any number of entries may need them.
            var (line, counted) = (1, 0)
            for (position, offsets) in archive.entries.enumerated() where !offsets.isPlain {
                line += bytes[counted..<offsets.text.lowerBound].count { $0 == JSONByte.lineFeed }
                counted = offsets.text.lowerBound
                var entry = HAREntry(offsets: offsets, bytes: bytes, archive: text, number: position)
                entry.firstLine = line
                entry.isOfRewind = isOfRewind
                entry.attachments = attachments
                made[position] = try entry.interaction(&budget)
                made[position]?.original = OriginalText(text.part(offsets.text))
            }
        }
        self.made = made
        guard archive.hasRequest || entries.isEmpty else {
            throw CassetteError.Problem.structure(
                place: "`log.entries`",
                cause: "no entry has a method and a URL"
            )
        }
    }

    /// The archive without its entries, after a check of the required members.
    private static func surroundings(of text: Data, without entries: Range<Int>?) throws -> JSONObject {
        var frame = text
        if let entries {
            frame = text.part(0..<entries.lowerBound)
            frame.append(contentsOf: "[]".utf8)
            frame.append(text.part(entries.upperBound..<text.count))
        }
        let root = try JSON(parsing: frame)
        guard var log = root["log"]?.objectValue else {
            throw CassetteError.Problem.structure(
                place: "`log`",
                cause: "expected an object"
            )
        }
        if let version = log["version"]?.stringValue, !version.isEmpty,
            version.prefix(while: { $0 != "." }) != "1"
        {
            throw CassetteError.Problem.structure(
                place: "`log.version`",
                cause: "expected version 1.2, found \(version)"
            )
        }
        guard log["entries"]?.arrayValue != nil else {
            throw CassetteError.Problem.structure(
                place: "`log.entries`",
                cause: "expected an array"
            )
        }
        var surroundings = root.objectValue ?? JSONObject()
        log["entries"] = nil
        surroundings["log"] = .object(log)
        return surroundings
    }

    /// Reads an entry that was not decoded when the archive was opened.
    private func read<Value>(_ position: Int, _ body: (HAREntry) throws -> Value) -> Value? {
        // Decoding such an entry never throws.
        text.withUnsafeBytes { bytes in
            var entry = HAREntry(offsets: entries[position], bytes: bytes, archive: text, number: position)
            entry.isOfRewind = isOfRewind
            return try? body(entry)
        }
    }

    var count: Int { entries.count }

    subscript(position: Int) -> Interaction {
        if let interaction = made[position] { return interaction }
        var budget = InflationBudget(.default)
        var interaction = read(position) { try $0.interaction(&budget) } ?? .unreadable
        interaction.original = OriginalText(text.part(entries[position].text))
        return interaction
    }

    func answer(at position: Int, to request: Interaction.Request) -> Interaction {
        made[position] ?? read(position) { try $0.answer(to: request) } ?? .unreadable
    }

    func request(at position: Int, withHeaders: Bool) -> Interaction.Request {
        made[position]?.request ?? read(position) { try $0.request(withHeaders: withHeaders) }
            ?? Interaction.unreadable.request
    }

    func line(at position: Int) -> (method: String, url: String) {
        if let request = made[position]?.request { return (request.method, request.url) }
        return read(position) { try $0.line() } ?? ("", "")
    }

    func beginning(at position: Int) -> (url: String, startedAt: Date) {
        if let interaction = made[position] { return (interaction.request.url, interaction.startedAt) }
        return read(position) { try $0.beginning() } ?? ("", .distantPast)
    }

    func isReplayable(at position: Int) -> Bool { made[position]?.isReplayable ?? true }

    var listsRedactedPlaces: Bool { entries.contains { $0.own.redacted != 0 } }
}

extension Interaction {
    fileprivate static var unreadable: Interaction {
        Interaction(
            request: Interaction.Request(method: "", url: ""),
            outcome: .unknown(reason: "the entry cannot be read"),
            startedAt: .distantPast
        )
    }
}

extension Data {
    /// The bytes between two offsets from the start.
    fileprivate func part(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
