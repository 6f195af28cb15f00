import Foundation

/// One event of one process.
///
/// A manifest is valid only if each process that began also ended. Otherwise a crashed run would look like one that used
/// few interactions.
package enum ManifestLine: Hashable, Sendable {
    /// `selected` are the arguments that selected some of the tests; `nil` if the process runs all.
    case began(run: String, at: Date, selected: String?)
    case opened(use: ManifestUse)
    case ejected(use: ManifestUse, ManifestPlay)
    case ended(run: String)

    /// Lines of version 1 did not say whether all tests ran.
    private static let version = 2

    var run: String {
        switch self {
        case .began(let run, _, _), .ended(let run): run
        case .opened(let use), .ejected(let use, _): use.run
        }
    }

    /// The line as JSON, without a line feed.
    package var text: Data {
        var members: JSONObject = ["event": .string(event), "version": JSON(Self.version)]
        switch self {
        case .began(let run, let date, let selected):
            members.append("run", .string(run))
            members.append("time", .string(HARDate.text(date)))
            if let selected { members.append("selected", .string(selected)) }
        case .opened(let use): members.append(use)
        case .ejected(let use, let play):
            members.append(use)
            members.append(play)
        case .ended(let run): members.append("run", .string(run))
        }
        return JSON.object(members).compactText
    }

    private var event: String {
        switch self {
        case .began: "began"
        case .opened: "opened"
        case .ejected: "ejected"
        case .ended: "ended"
        }
    }

    /// Reads a line; `nil` if it is invalid or of another version.
    package init?(_ text: Data) {
        guard let line = try? JSON(parsing: text), line["version"]?.integerValue == Self.version,
            let run = line["run"]?.stringValue
        else { return nil }
        switch line["event"]?.stringValue {
        case "began":
            guard let date = line["time"]?.stringValue.flatMap(HARDate.date) else { return nil }
            self = .began(run: run, at: date, selected: line["selected"]?.stringValue)
        case "opened":
            guard let use = ManifestUse(line, run: run) else { return nil }
            self = .opened(use: use)
        case "ejected":
            guard let use = ManifestUse(line, run: run), let play = ManifestPlay(line) else { return nil }
            self = .ejected(use: use, play)
        case "ended": self = .ended(run: run)
        default: return nil
        }
    }
}

package struct ManifestUse: Hashable, Sendable {
    package var run: String
    /// The number of the use in its process, counted from 1.
    package var number: Int
    /// The absolute path of the cassette.
    package var cassette: String
    /// The path relative to the root of the project; `nil` outside of a project.
    package var packagePath: String?
    package var test: String?
}

package struct ManifestPlay: Hashable, Sendable {
    package var mode: String
    /// Whether the test failed, or its recording was not written.
    package var failed: Bool
    /// Whether the test was skipped, which may be before its first request.
    package var skipped = false
    /// Whether the cassette existed. If not, unplayed interactions have no meaning.
    package var plays: Bool
    /// The checksum of the cassette after the test; `nil` without a file.
    package var checksum: ContentChecksum?
    package var played: [Position]
    package var recorded: [RequestFingerprint]

    /// A played interaction: its position, counted from 0, and its request.
    package struct Position: Hashable, Sendable {
        package var position: Int
        package var request: RequestFingerprint
    }
}

extension JSONObject {
    fileprivate mutating func append(_ use: ManifestUse) {
        append("run", .string(use.run))
        append("use", JSON(use.number))
        append("cassette", .string(use.cassette))
        if let path = use.packagePath { append("path", .string(path)) }
        if let test = use.test { append("test", .string(test)) }
    }

    fileprivate mutating func append(_ play: ManifestPlay) {
        append("mode", .string(play.mode))
        append("failed", .bool(play.failed))
        if play.skipped { append("skipped", .bool(true)) }
        append("plays", .bool(play.plays))
        if let checksum = play.checksum { append("checksum", .string(checksum.text)) }
        append("played", .array(play.played.map { [JSON($0.position), .string($0.request.text)] }))
        append("recorded", .array(play.recorded.map { .string($0.text) }))
    }
}

extension ManifestUse {
    fileprivate init?(_ line: JSON, run: String) {
        guard let number = line["use"]?.integerValue, let cassette = line["cassette"]?.stringValue
        else { return nil }
        self.init(
            run: run,
            number: number,
            cassette: cassette,
            packagePath: line["path"]?.stringValue,
            test: line["test"]?.stringValue
        )
    }
}

extension ManifestPlay {
    fileprivate init?(_ line: JSON) {
        guard let mode = line["mode"]?.stringValue, let failed = line["failed"]?.boolValue,
            let plays = line["plays"]?.boolValue, let played = line["played"]?.arrayValue,
            let recorded = line["recorded"]?.arrayValue
        else { return nil }
        let positions = played.compactMap { entry -> Position? in
            guard let position = entry[0]?.integerValue, position >= 0, let request = entry[1]?.stringValue
            else { return nil }
            return Position(position: position, request: RequestFingerprint(text: request))
        }
        let requests = recorded.compactMap(\.stringValue)
        guard positions.count == played.count, requests.count == recorded.count else { return nil }
        self.init(
            mode: mode,
            failed: failed,
            skipped: line["skipped"]?.boolValue ?? false,
            plays: plays,
            checksum: line["checksum"]?.stringValue.map { ContentChecksum(text: $0) },
            played: positions,
            recorded: requests.map { RequestFingerprint(text: $0) }
        )
    }
}

/// Identifies a request in a cassette without revealing its content.
///
/// It does not depend on other interactions.
package struct RequestFingerprint: Hashable, Sendable {
    package let text: String

    /// Creates a fingerprint from the method, the URL and the body.
    package init(_ request: Interaction.Request) {
        let body = request.body.map { ContentChecksum($0.data).text } ?? "none"
        let message = "\(request.method)\n\(request.urlWithoutFragment)\n\(body)"
        text = String(SHA256Digest(message.utf8).hexadecimal.prefix(16))
    }

    package init(text: String) { self.text = text }
}
