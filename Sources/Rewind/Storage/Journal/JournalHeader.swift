import Foundation

/// The first line of a journal: what is recorded, by whom and since when.
struct JournalHeader: Hashable, Sendable {
    /// The name of the cassette's file.
    let cassette: String
    /// The recording mode in which the recording began.
    let mode: String
    /// The number of the process that records; another one may have it by now.
    let process: Int32
    /// When the recording began.
    let start: Date
}

extension JournalHeader {
    /// The line, with its end.
    var line: Data {
        let object: JSON = [
            "rewind": "journal", "version": .string(Self.version), "cassette": .string(cassette),
            "mode": .string(mode), "process": JSON(Int(process)), "start": .string(HARDate.text(start)),
        ]
        return object.lineText + [JSONByte.lineFeed]
    }

    /// Reads the line without its end; `nil` where it is no such header, or one of another version.
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
