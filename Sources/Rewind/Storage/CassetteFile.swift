import Foundation

package struct CassetteFile: Sendable {
    private let location: CassetteLocation

    package init(_ location: CassetteLocation) { self.location = location }

    /// Reads the cassette to write it again; `nil` if there is no file.
    package func load() throws -> Cassette? {
        guard var cassette = try open()?.cassette else { return nil }
        cassette.interactions = OldPlaceholders.convertingTokens(in: cassette.interactions)
        return cassette
    }

    /// Opens the cassette for replay; `nil` if there is no file.
    package func open() throws -> RecordedCassette? {
        location.exists ? try RecordedCassette(contentsOf: location.current).withCurrentPlaceholders : nil
    }

    /// What the file would contain if the recorded interactions were written now, and the placeholders of all secrets.
    func preview(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [RequestMatcher],
        redaction: SaveRedaction
    ) throws -> (interactions: [Interaction], placeholders: [String: Placeholder]) {
        let present = policy == .replace ? [] : try load()?.interactions ?? []
        let (interactions, redactor) = redaction.merged(present, recorded) {
            policy.interactions(of: $0, with: $1, matchers: matchers)
        }
        return (interactions, redactor.ledger.allSecrets)
    }

    struct SavedRecording {
        var url: URL
        var requests: [Interaction.Request]
        /// Whether there was no cassette before: neither this file nor one to play instead.
        var isFirst = false
    }

    /// Writes the recorded interactions.
    ///
    /// Reads the file again under the lock, because another process may have recorded the same cassette.
    func save(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [RequestMatcher],
        redaction: SaveRedaction
    ) throws -> SavedRecording {
        var isFirst = false
        var saved = try writing(to: location.destination) { url in
            isFirst = !location.exists
            let former = isFirst ? url : location.current
            if policy == .replace { noteOtherTest(in: former) }
            let requests = try write(recorded, policy, matchers, redaction, to: url)
            remove(location.failedRecording)
            // A recording that only adds to the cassette does not contain what was refused.
            if policy != .append { RefusedRecording.remove(location.refusedRecording) }
            let recovered = location.recoveredRecording
            if isCovered(recovered, by: url, matchers), remove(recovered) {
                Note.print("removed \(recovered.path), because \(url.path) now contains its requests")
            }
            if former != url {
                Note.print("recorded \(url.path), which is now played instead of \(former.path); commit it")
            }
            return requests
        }
        saved.isFirst = isFirst
        return saved
    }

    func saveBeside(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [RequestMatcher],
        redaction: SaveRedaction
    ) throws -> SavedRecording {
        try writing(to: location.failedRecording) { url in
            // Existing interactions do not help to understand why the test failed.
            let policy = policy == .addMissing ? .replace : policy
            return try write(recorded, policy, matchers, redaction, to: url)
        }
    }

    /// Adds interactions from journals to those that were recovered before, without duplicates, and returns the file.
    func saveRecovered(_ recovered: [Interaction], redaction: SaveRedaction) throws -> URL {
        try writing(to: location.recoveredRecording) { url in
            let isThere = FileManager.default.fileExists(atPath: url.path)
            let cassette = isThere ? try Cassette(contentsOf: url) : Cassette()
            return try write(recovered, to: url, onto: cassette, redaction) { present, recovered in
                // A process may have ended after saving them, but before it deleted the journal.
                let known = Set(present)
                return present + recovered.filter { !known.contains($0) }
            }
        }.url
    }

    private func write(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        _ matchers: [RequestMatcher],
        _ redaction: SaveRedaction,
        to url: URL
    ) throws -> [Interaction.Request] {
        let cassette = policy == .replace ? newCassette : try load() ?? newCassette
        return try write(recorded, to: url, onto: cassette, redaction) {
            policy.interactions(of: $0, with: $1, matchers: matchers)
        }
    }

    /// Several tests may play one cassette, but only the requests of the last recording stay in it.
    private func noteOtherTest(in file: URL) {
        guard let own = location.recorder, let other = Cassette.recorder(of: file), other.test != nil,
            own != other
        else { return }
        Note.print("\(file.path) was recorded by \(other) and now contains the recording of \(own)")
    }

    private var newCassette: Cassette {
        var cassette = Cassette()
        if let recorder = location.recorder { cassette.recorder = recorder }
        return cassette
    }

    /// Writes the archive, and returns the recorded requests.
    private func write(
        _ recorded: [Interaction],
        to url: URL,
        onto cassette: Cassette,
        _ redaction: SaveRedaction,
        merge: (_ present: [Interaction], _ recorded: [Interaction]) -> [Interaction]
    ) throws -> [Interaction.Request] {
        var requests: [Interaction.Request] = []
        let archive = try redaction.archive(of: cassette, adding: recorded, to: url) {
            requests = $1.map(\.request)
            return merge($0, $1)
        }
        try archive.write(to: url)
        return requests
    }

    private func writing(to url: URL, _ body: (URL) throws -> [Interaction.Request]) throws -> SavedRecording {
        do {
            let directory = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let lock = try DirectoryLock(directory)
            defer { lock.release() }
            TemporaryFile.removeLeftovers(in: directory)
            return SavedRecording(url: url, requests: try body(url))
        } catch let error as CassetteError {
            throw error
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(SystemCallError.cause(of: error)))
        }
    }

    /// Deletes a recording beside the cassette. If that fails, prints a note, because the file is not from the latest run.
    @discardableResult
    private func remove(_ recording: URL) -> Bool {
        guard FileManager.default.fileExists(atPath: recording.path) else { return false }
        guard FileOperations.current.remove(recording.path) == 0 else {
            let error = SystemCallError("remove", recording.path)
            Note.print("\(SystemCallError.cause(of: error)); the file is from an earlier run")
            return false
        }
        BodyFolder(beside: recording).removeBodies()
        return true
    }

    /// Whether a cassette contains every request of a recording beside it.
    private func isCovered(_ recording: URL, by cassette: URL, _ matchers: [RequestMatcher]) -> Bool {
        guard FileManager.default.fileExists(atPath: recording.path) else { return false }
        do {
            let index = InteractionIndex([], matchers: matchers)
            func keys(_ url: URL) throws -> [[InteractionIndex.Key]] {
                try Cassette(contentsOf: url).interactions.map { index.keys(of: $0.request) }
            }
            let known = Set(try keys(cassette).joined())
            return try keys(recording).allSatisfy { $0.contains(where: known.contains) }
        } catch { return false }
    }
}

enum SavePolicy: String, Sendable {
    /// Replaces everything.
    case replace
    /// Appends at the end.
    case append
    /// Adds only missing interactions, because another process may have recorded the same ones.
    case addMissing
    /// Replaces the interactions whose requests were recorded again, and preserves the others.
    case renew

    init(_ mode: RecordingMode) {
        self =
            switch mode {
            case .all: .replace
            case .once: .addMissing
            case .never, .newEpisodes, .verify, .live: .append
            }
    }

    func interactions(of present: [Interaction], with recorded: [Interaction], matchers: [RequestMatcher])
        -> [Interaction]
    {
        switch self {
        case .replace: recorded
        case .append: present + recorded
        case .addMissing: present + recorded.lacking(in: present, matchers: matchers)
        case .renew: present.lacking(in: recorded, matchers: matchers) + recorded
        }
    }
}

extension [Interaction] {
    /// The interactions that the others lack. Equal requests are counted: if the others have one of two, the second one is
    /// lacking.
    fileprivate func lacking(in others: [Interaction], matchers: [RequestMatcher]) -> [Interaction] {
        // The positions of each key, in reverse order.
        var present: [InteractionIndex.Key: [Int]] = [:]
        var taken: Set<Int> = []
        let index = InteractionIndex([], matchers: matchers)
        for (position, other) in others.enumerated().reversed() {
            for key in index.keys(of: other.request) { present[key, default: []].append(position) }
        }
        return filter { interaction in
            for key in index.keys(of: interaction.request) {
                while let position = present[key]?.popLast() {
                    if taken.insert(position).inserted { return false }
                }
            }
            return true
        }
    }
}
