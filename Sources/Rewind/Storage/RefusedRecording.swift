import Foundation

/// A recording that was not saved because it contains values that look like credentials.
///
/// It is kept as `talk.refused` beside the cassette until a rule decides about each value. It is encrypted, as it is not
/// redacted yet, and the key is outside of the project.
package struct RefusedRecording {
    package let url: URL
    private let header: RefusedHeader
    private let interactions: [Interaction]
    /// The secrets that have placeholders in the cassette.
    private let known: [String: Placeholder]

    package var count: Int { interactions.count }

    /// The cassette that the recording is for.
    package var location: CassetteLocation {
        CassetteLocation(url.deletingLastPathComponent().appendingPathComponent(header.cassette))
    }

    package static func isOne(_ url: URL) -> Bool {
        url.pathExtension == CassetteLocation.refusedExtension
    }

    /// Encrypts a recording and writes it beside its cassette; `nil` if the key or the file cannot be written.
    ///
    /// A recording that adds to the cassette also adds to what was refused before.
    static func keep(
        _ recorded: [Interaction],
        at location: CassetteLocation,
        _ policy: SavePolicy,
        isFailed: Bool,
        known: [String: Placeholder],
        matchers: [RequestMatcher]
    ) -> URL? {
        let url = location.refusedRecording
        var (recorded, policy, known) = (recorded, policy, known)
        if policy != .replace, let former = try? RefusedRecording(contentsOf: url),
            former.header.isFailed == isFailed
        {
            recorded = SavePolicy.renew.interactions(
                of: former.interactions,
                with: recorded,
                matchers: matchers
            )
            policy = former.header.policy
            known.merge(former.known) { new, _ in new }
        }
        guard let key = RecordingKey(), let cipher = ChaCha20(key: key.data) else { return nil }
        let secrets = known.map { JSON.array([.string($0), .string($1.text)]) }
        let archive = HARFormat.write(Cassette(interactions: recorded))
        let content: JSON = ["checksum": .string(ContentChecksum(archive).text), "known": .array(secrets)]
        let text = content.lineText + [JSONByte.lineFeed] + archive
        let header = RefusedHeader(
            cassette: location.destination.lastPathComponent,
            policy: policy,
            isFailed: isFailed,
            key: key.name
        )
        let former = RefusedHeader(contentsOf: url)
        do {
            try AtomicFile(url).write(header.line + cipher.applied(to: text))
        } catch {
            key.remove()
            return nil
        }
        former.flatMap { RecordingKey(named: $0.key) }?.remove()
        return url
    }

    /// Decrypts a recording.
    /// - Throws: ``CassetteError`` if the file is invalid or its key is missing.
    package init(contentsOf url: URL) throws {
        func error(_ problem: CassetteError.Problem) -> CassetteError {
            CassetteError(path: url.path, problem: problem)
        }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch let cause { throw error(.unreadable(SystemCallError.cause(of: cause))) }
        guard let end = data.firstIndex(of: JSONByte.lineFeed), let header = RefusedHeader(line: data[..<end])
        else { throw error(.structure(place: "line 1", cause: "expected the header of a refused recording")) }
        guard let key = RecordingKey(named: header.key), let cipher = ChaCha20(key: key.data)
        else { throw error(.unreadable(UnreadableFile.missingKey.cause)) }
        let text = cipher.applied(to: Data(data[(end + 1)...]))
        guard let line = text.firstIndex(of: JSONByte.lineFeed),
            let content = try? JSON(parsing: text[..<line]),
            let secrets = content["known"]?.arrayValue,
            content["checksum"]?.stringValue == ContentChecksum(Data(text[(line + 1)...])).text
        else { throw error(.unreadable(UnreadableFile.damagedRecording.cause)) }
        self.url = url
        self.header = header
        known = secrets.reduce(into: [:]) { known, entry in
            guard let parts = entry.arrayValue, parts.count == 2, let secret = parts[0].stringValue else {
                return
            }
            known[secret] = parts[1].stringValue.flatMap { Placeholder($0) }
        }
        let folder = url.deletingLastPathComponent()
        interactions = try RecordedCassette(Data(text[(line + 1)...]), path: url.path, in: folder).interactions
            .all
    }

    /// Saves the recording as its cassette, and deletes it here.
    /// - Returns: The file that was written.
    /// - Throws: ``CassetteError`` if a value still looks like a credential, or the file cannot be written.
    package func save(_ redaction: Redaction, matchers: [RequestMatcher]) throws -> URL {
        let file = CassetteFile(location)
        let rules = SaveRedaction(redaction: redaction, known: known)
        do {
            let saved =
                header.isFailed
                ? try file.saveBeside(interactions, header.policy, matchers: matchers, redaction: rules)
                : try file.save(interactions, header.policy, matchers: matchers, redaction: rules)
            Self.remove(url)
            return saved.url
        } catch var error as CassetteError {
            error.refusedPath = url.path
            throw error
        }
    }

    /// The error that a save would throw; `nil` if no value looks like a credential.
    package func problem(_ redaction: Redaction) -> CassetteError? {
        let findings = RedactedCassette(Cassette(interactions: interactions), redaction).findings
        guard !findings.isEmpty else { return nil }
        let path = header.isFailed ? location.failedRecording.path : location.destination.path
        var error = CassetteError(path: path, problem: .unredactedCredentials(findings))
        error.refusedPath = url.path
        return error
    }

    /// Deletes a refused recording with its key.
    static func remove(_ url: URL) {
        guard let header = RefusedHeader(contentsOf: url) else { return }
        unlink(url.path)
        RecordingKey(named: header.key)?.remove()
    }

    /// Saves the refused recording of an earlier run if the rules now decide about each value. Otherwise it stays.
    static func settle(at location: CassetteLocation, _ redaction: Redaction, matchers: [RequestMatcher]) {
        let url = location.refusedRecording
        // Two processes must not save it twice.
        guard FileStatus(url)?.kind == .file, let descriptor = TemporaryFile.claim(url.path) else { return }
        defer { close(descriptor) }
        do {
            let recording = try RefusedRecording(contentsOf: url)
            let saved = try recording.save(redaction, matchers: matchers)
            let count = recording.count == 1 ? "1 interaction" : "\(recording.count) interactions"
            Note.print("saved \(count), which an earlier run recorded and refused to save, to \(saved.path)")
        } catch let error as CassetteError {
            if case .unredactedCredentials = error.problem {
                Note.print(
                    """
                    an earlier recording is not saved yet, as it contains values that look like credentials: \(url.path)
                      To see them, run: rewind redact --check \(url.path)
                    """
                )
            } else {
                Note.print("\(error)")
            }
        } catch {
            Note.print("\(url.path) was not saved: \(SystemCallError.cause(of: error))")
        }
    }
}

/// The first line of a refused recording.
private struct RefusedHeader {
    let cassette: String
    let policy: SavePolicy
    /// Whether the test of the recording failed.
    let isFailed: Bool
    /// The name of the key.
    let key: String

    init(cassette: String, policy: SavePolicy, isFailed: Bool, key: String) {
        (self.cassette, self.policy, self.isFailed, self.key) = (cassette, policy, isFailed, key)
    }

    var line: Data {
        let object: JSON = [
            "rewind": "refused", "version": .string(Self.version), "cassette": .string(cassette),
            "policy": .string(policy.rawValue), "failed": .bool(isFailed), "key": .string(key),
        ]
        return object.lineText + [JSONByte.lineFeed]
    }

    init?(line: Data) {
        guard let object = try? JSON(parsing: line), object["rewind"]?.stringValue == "refused",
            object["version"]?.stringValue == Self.version, let cassette = object["cassette"]?.stringValue,
            !cassette.contains("/"), let policy = object["policy"]?.stringValue.flatMap(SavePolicy.init),
            let key = object["key"]?.stringValue
        else { return nil }
        let isFailed = object["failed"] == .bool(true)
        self.init(cassette: cassette, policy: policy, isFailed: isFailed, key: key)
    }

    init?(contentsOf url: URL) {
        guard FileStatus(url)?.kind == .file, let handle = try? FileHandle(forReadingFrom: url),
            let beginning = try? handle.read(upToCount: 8192),
            let end = beginning.firstIndex(of: JSONByte.lineFeed)
        else { return nil }
        self.init(line: beginning[..<end])
    }

    private static let version = "1"
}
