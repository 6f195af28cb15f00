import Foundation

/// The file of a cassette: how it is read, and how a recording gets into it without loss.
package struct CassetteFile: Sendable {
    private let location: CassetteLocation

    package init(_ location: CassetteLocation) {
        self.location = location
    }

    /// Reads the cassette; `nil` where there is no file.
    /// - Throws: ``CassetteError`` when there is one that cannot be read.
    package func load() throws -> Cassette? {
        try open()?.cassette
    }

    /// Opens the cassette to play it; `nil` where there is no file.
    /// - Throws: ``CassetteError`` when there is one that cannot be read.
    package func open() throws -> RecordedCassette? {
        location.exists ? try RecordedCassette(contentsOf: location.current) : nil
    }

    /// What was written.
    struct SavedRecording {
        /// The file.
        var url: URL
        /// The requests that were recorded, as they stand in it.
        var requests: [Request]
    }

    /// Writes what was recorded.
    ///
    /// Another process may have recorded the same cassette meanwhile. The file is read again under the lock, so that
    /// nobody's recording is lost.
    func save(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [Matcher],
        keeping secrets: SecretKeeping
    ) throws -> SavedRecording {
        try writing(to: location.destination) { url in
            let former = location.exists ? location.current : url
            let requests = try write(recorded, policy, matchers, secrets, to: url)
            try? FileManager.default.removeItem(at: failedURL)
            BodyFolder(beside: failedURL).removeBodies()
            if former != url, !location.isRecordedElsewhere {
                Note.print("recorded \(url.path), which is played from now on; \(former.path) stays as it is")
            }
            return requests
        }
    }

    /// Writes the recording of a failed test beside the cassette.
    func saveBeside(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [Matcher],
        keeping secrets: SecretKeeping
    ) throws -> SavedRecording {
        try writing(to: failedURL) { url in
            // What else a failed test would have added to says nothing about its failure.
            let policy = policy == .addMissing ? .replace : policy
            return try write(recorded, policy, matchers, secrets, to: url)
        }
    }

    /// Writes the bodies before the archive that names them, and removes those that none names after it, so that there is
    /// a whole cassette at any time; returns the requests that were recorded.
    private func write(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        _ matchers: [Matcher],
        _ secrets: SecretKeeping,
        to url: URL
    ) throws -> [Request] {
        let cassette = policy == .replace ? Cassette() : try load() ?? Cassette()
        let folder = BodyFolder(beside: url)
        var requests: [Request] = []
        let archive = try secrets.archive(of: cassette, adding: recorded, path: url.path, bodiesIn: folder) {
            requests = $1.map(\.request)
            return policy.interactions(of: $0, with: $1, matchers: matchers)
        }
        try folder.write(archive.bodies)
        try AtomicFile(url).write(archive.document)
        folder.removeBodies(except: archive.paths)
        return requests
    }

    private func writing(to url: URL, _ body: (URL) throws -> [Request]) throws -> SavedRecording {
        do {
            let directory = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let lock = try DirectoryLock(directory)
            defer { lock.release() }
            return SavedRecording(url: url, requests: try body(url))
        } catch let error as CassetteError {
            throw error
        } catch let error as UnredactedCredentials {
            throw error
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(error.localizedDescription))
        }
    }

    private var failedURL: URL {
        location.destination.deletingPathExtension().appendingPathExtension("failed.har")
    }
}
