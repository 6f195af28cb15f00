import Foundation

/// The contents of a journal file.
struct JournalContents {
    let header: JournalHeader
    /// The valid lines, in the order of the requests.
    let lines: [JournalLine]
    let brokenLines: Int
    /// The problem of the first complete line that cannot be decoded.
    let problem: String?
    /// Why the recording was not saved; `nil` if the run ended early.
    let end: JournalEnd?

    /// The interactions, in the order of the requests.
    var interactions: [Interaction] { lines.map(\.interaction) }

    /// Reads a journal; `nil` if the first line is not the header of a journal.
    init?(_ data: Data) {
        var lines = data.split(separator: JSONByte.lineFeed, omittingEmptySubsequences: true)[...]
        guard let header = lines.popFirst().flatMap(JournalHeader.init) else { return nil }
        var (read, brokenLines, problem) = ([JournalLine](), 0, String?.none)
        var end: JournalEnd?
        for line in lines {
            if let found = JournalEnd(line: line) {
                end = found
                continue
            }
            do {
                if let line = try JournalLine(line) { read.append(line) } else { brokenLines += 1 }
            } catch {
                problem = problem ?? "\(error)"
            }
        }
        self.header = header
        self.lines = read.sorted { $0.place < $1.place }
        self.brokenLines = brokenLines
        self.problem = problem
        self.end = end
    }
}

/// The last line of a journal whose recording could not be saved.
enum JournalEnd: Hashable, Sendable {
    /// The recording contains values that look like credentials.
    case refused
    /// The cassette cannot be written or read.
    case failed(String)

    init(_ error: any Error) {
        if case .unredactedCredentials = (error as? CassetteError)?.problem {
            self = .refused
        } else {
            self = .failed(
                (error as? CassetteError).map { "\($0.problem)" } ?? SystemCallError.cause(of: error)
            )
        }
    }

    /// What happened, as the rest of a sentence.
    var clause: String {
        switch self {
        case .refused:
            "from a run whose recording was not saved, because it contains values that look like credentials"
        case .failed(let cause): "from a run whose recording could not be saved: \(cause.withoutFullStop)"
        }
    }

    var line: Data {
        var object: JSONObject = ["rewind": "end"]
        switch self {
        case .refused: object["cause"] = "credentials"
        case .failed(let cause): object["failure"] = .string(cause)
        }
        return JSON.object(object).lineText + [JSONByte.lineFeed]
    }

    /// Reads a line; `nil` if it is another one.
    init?(line: Data) {
        guard line.first == JSONByte.openBrace, let object = try? JSON(parsing: line),
            object["rewind"]?.stringValue == "end"
        else { return nil }
        if let cause = object["failure"]?.stringValue {
            self = .failed(cause)
        } else {
            self = .refused
        }
    }
}

/// The first line of a journal.
struct JournalHeader: Hashable, Sendable {
    let cassette: String
    let mode: String
    /// The process ID. The process may have ended and its ID may be in use again.
    let process: Int32
    let start: Date
}

extension JournalHeader {
    var line: Data {
        let object: JSON = [
            "rewind": "journal", "version": .string(Self.version), "cassette": .string(cassette),
            "mode": .string(mode), "process": JSON(Int(process)), "start": .string(HARDate.text(start)),
        ]
        return object.lineText + [JSONByte.lineFeed]
    }

    /// Reads a header; `nil` for another text or another version.
    init?(line: Data) {
        guard let object = try? JSON(parsing: line), object["rewind"]?.stringValue == "journal",
            object["version"]?.stringValue == Self.version, let cassette = object["cassette"]?.stringValue,
            let mode = object["mode"]?.stringValue,
            let start = object["start"]?.stringValue.flatMap(HARDate.date),
            let process = object["process"]?.integerValue.flatMap(Int32.init(exactly:))
        else { return nil }
        self.init(cassette: cassette, mode: mode, process: process, start: start)
    }

    private static let version = "1"
}

/// A line of a journal: the position of the request, the size of the HAR entry, the entry and a checksum.
///
/// For example, `7 1834 {"startedDateTime": …} 9f3ac2d1e05b7a64` contains the interaction of the eighth request, an entry
/// of 1834 bytes, and the checksum of everything before it.
struct JournalLine {
    /// The position of its request in the recording.
    let place: Int
    let interaction: Interaction

    /// Passes lines to a closure in large pieces, each of which is a system call. A large body is in memory only once.
    static func write(_ lines: [JournalLine], _ body: (Data) throws -> Void) rethrows {
        // An array, because appending one byte to `Data` is as slow as appending a hundred.
        var piece: [UInt8] = []
        for line in lines {
            try line.append(to: &piece) { piece in
                guard piece.count >= Self.pieceSize else { return }
                try body(Data(piece))
                piece.removeAll(keepingCapacity: true)
            }
        }
        if !piece.isEmpty { try body(Data(piece)) }
    }

    private func append(to piece: inout [UInt8], flush: (inout [UInt8]) throws -> Void) rethrows {
        let entry = JournalEntryText(interaction)
        var checksum = Checksum()
        var start = piece.count
        piece.append(contentsOf: "\(place) \(entry.count) ".utf8)
        try entry.eachPart { part in
            part.withUnsafeBytes { piece.append(contentsOf: $0) }
            piece.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            try flush(&piece)
            start = piece.count
        }
        piece.append(JSONByte.space)
        piece.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        piece.append(contentsOf: checksum.text.utf8)
        piece.append(JSONByte.lineFeed)
    }

    private static let pieceSize = 512 * 1024
}

extension JournalLine {
    /// Reads a line without its line feed; `nil` if it is incomplete or damaged.
    /// - Throws: ``CassetteError/Problem`` or ``JSONError`` if a complete entry is invalid, for example of another version.
    init?(_ line: Data) throws {
        guard let start = line.firstIndex(of: JSONByte.space),
            let place = Self.number(line[..<start]),
            let next = line[(start + 1)...].firstIndex(of: JSONByte.space),
            let count = Self.number(line[(start + 1)..<next]),
            // The entry, a space and sixteen digits follow.
            line.endIndex - next - 1 == count + 17, line[next + 1 + count] == JSONByte.space
        else { return nil }
        var checksum = Checksum()
        checksum.add(line[...(next + 1 + count)])
        let entry = line[(next + 1)..<(next + 1 + count)]
        guard checksum.text.utf8.elementsEqual(line[(next + 2 + count)...]) else { return nil }
        let (interaction, _) = try HAREntry.read(entry, nil)
        // Only what was answered is written to a journal.
        if let obstacle = interaction.obstacle ?? interaction.request.bodyAbsence {
            throw CassetteError.Problem.unreadable(obstacle)
        }
        self.init(place: place, interaction: interaction)
    }

    /// A number without a sign and with fewer than 16 digits; `nil` for other text.
    private static func number(_ digits: Data) -> Int? {
        let isPlain = digits.allSatisfy { JSONByte.zero...JSONByte.nine ~= $0 }
        return isPlain && digits.count < 16 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}

/// An interaction as a HAR entry on one line. The base64 of large bodies is created in pieces.
struct JournalEntryText {
    private enum Part {
        case text(Data)
        case base64(Data)
    }

    private let parts: [Part]

    var count: Int {
        parts.reduce(0) { count, part in
            switch part {
            case .text(let text): count + text.count
            case .base64(let data): count + (data.count + 2) / 3 * 4
            }
        }
    }

    init(_ interaction: Interaction) {
        let bodies = [interaction.request.body, interaction.response?.body].map(Self.great)
        let paths = BodyPaths(
            request: bodies[0].map { _ in Self.requestMark },
            response: bodies[1].map { _ in Self.responseMark }
        )
        var writer = JSONWriter(onOneLine: true, reservingCapacity: 4096)
        HAREntryWriter.write(interaction, bodiesAt: paths, to: &writer)
        var rest = writer.elements()
        var parts: [Part] = []
        let places = [(Self.requestMark, "_encoding"), (Self.responseMark, "encoding")]
        for ((mark, encoding), body) in zip(places, bodies) {
            guard let body, let place = rest.range(of: Data("\"_file\": \"\(mark)\"".utf8)) else { continue }
            let head = Data("\"\(encoding)\": \"base64\",\"text\": \"".utf8)
            parts += [.text(rest[..<place.lowerBound] + head), .base64(body)]
            rest = Data("\"".utf8) + rest[place.upperBound...]
        }
        self.parts = parts + [.text(rest)]
    }

    func eachPart(_ body: (Data) throws -> Void) rethrows {
        for part in parts {
            switch part {
            case .text(let text): try body(text)
            case .base64(let data):
                for start in stride(from: data.startIndex, to: data.endIndex, by: Self.step) {
                    try body(data[start..<min(data.endIndex, start + Self.step)].base64EncodedData())
                }
            }
        }
    }

    // Markers that are replaced with large bodies. A string in an entry cannot look like a member with a marker.
    private static let requestMark = "journal:request"
    private static let responseMark = "journal:response"

    private static func great(_ body: Interaction.Body?) -> Data? {
        body.flatMap { $0.count > limit ? $0.data : nil }
    }

    private static let limit = 64 * 1024
    /// The bytes per piece of base64: a multiple of three, so that no piece needs padding.
    private static let step = 384 * 1024
}
