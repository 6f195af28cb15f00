import Foundation

/// What a process that called ``Stubber/activateFromEnvironment(configuration:)`` played, recorded and missed.
///
/// The process writes it to the file that `REWIND_REPORT` names: at the start, after every miss before the app receives its
/// error, soon after every other request, and at its end. So it is right even if the process is killed. ``ProcessCassette``
/// reads it for a test.
public struct ProcessReport: Hashable, Sendable {
    /// The path of the cassette.
    public var cassettePath: String
    /// The recording mode in effect; `nil` if it was invalid.
    public var mode: RecordingMode?
    /// The diagnosis of each request that nothing answered, without secrets. Of equal ones, the first is included, and of
    /// many, the first hundred.
    public var misses: [String] = []
    /// The number of requests that nothing answered.
    public var missCount = 0
    /// The recorded interactions that were not played, each as its number and its request.
    public var unplayed: [String] = []
    /// The number of recorded interactions that were played.
    public var playedCount = 0
    /// The number of interactions that were recorded.
    public var recordedCount = 0
    /// What else is wrong, each with its fix: an invalid setting, a cassette that cannot be read or written, or a request
    /// without a response.
    public var problems: [String] = []
    /// Whether the process came to its end and saved its recording. It is `false` while it runs, and after it was killed.
    public var isComplete = false
    /// The number of the process.
    package var process = getpid()
    /// When the process was activated.
    package var start = WallClock.current.now()

    package init(cassettePath: String, mode: RecordingMode?) {
        self.cassettePath = cassettePath
        self.mode = mode
    }

    /// Reads a report.
    /// - Parameter url: The file.
    /// - Throws: An error of Foundation if the file cannot be read, ``ProcessCassetteError/invalidReport(path:)`` if it is not a
    ///   report.
    public init(contentsOf url: URL) throws {
        let data = try Data(contentsOf: url)
        guard let report = Self(data) else { throw ProcessCassetteError.invalidReport(path: url.path) }
        self = report
    }
}

extension ProcessReport {
    private static let version = 1

    init?(_ data: Data) {
        guard let json = try? JSON(parsing: data), json["version"]?.integerValue == Self.version,
            let path = json["cassette"]?.stringValue, let isComplete = json["complete"]?.boolValue
        else { return nil }
        func texts(_ name: String) -> [String] { json[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        self.init(
            cassettePath: path,
            mode: json["mode"]?.stringValue.flatMap(RecordingMode.init(rawValue:))
        )
        misses = texts("misses")
        missCount = json["missCount"]?.integerValue ?? misses.count
        unplayed = texts("unplayed")
        playedCount = json["playedCount"]?.integerValue ?? 0
        recordedCount = json["recordedCount"]?.integerValue ?? 0
        problems = texts("problems")
        process = json["process"]?.integerValue.flatMap(Int32.init(exactly:)) ?? 0
        start = json["start"]?.stringValue.flatMap(HARDate.date) ?? .distantPast
        self.isComplete = isComplete
    }

    var data: Data {
        func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
        let json: JSON = [
            "version": JSON(Self.version),
            "process": JSON(Int(process)),
            "start": .string(HARDate.text(start)),
            "complete": .bool(isComplete),
            "cassette": .string(cassettePath),
            "mode": mode.map { .string($0.rawValue) } ?? .null,
            "playedCount": JSON(playedCount),
            "recordedCount": JSON(recordedCount),
            "missCount": JSON(missCount),
            "misses": list(misses),
            "unplayed": list(unplayed),
            "problems": list(problems),
        ]
        return json.serialized()
    }

    mutating func add(_ miss: String) {
        missCount += 1
        if misses.count < Self.missLimit, !misses.contains(miss) { misses.append(miss) }
    }

    /// An app may repeat a request without end.
    private static let missLimit = 100
}
