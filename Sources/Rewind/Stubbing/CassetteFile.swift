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

    /// Writes what was recorded, and returns the file.
    ///
    /// Another process may have recorded the same cassette meanwhile. The file is read again under the lock, so that
    /// nobody's recording is lost.
    func save(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [Matcher],
        keeping secrets: SecretKeeping
    ) throws -> URL {
        try writing(to: location.destination) { url in
            let former = location.exists ? location.current : url
            try write(recorded, policy, matchers, secrets, to: url)
            try? FileManager.default.removeItem(at: failedURL)
            BodyFolder(beside: failedURL).removeBodies()
            guard former != url, !location.isRecordedElsewhere else { return }
            Note.print("recorded \(url.path), which is played from now on; \(former.path) stays as it is")
        }
    }

    /// Writes the recording of a failed test beside the cassette, and returns the file.
    func saveBeside(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        matchers: [Matcher],
        keeping secrets: SecretKeeping
    ) throws -> URL {
        try writing(to: failedURL) { url in
            // What else a failed test would have added to says nothing about its failure.
            let policy = policy == .addMissing ? .replace : policy
            try write(recorded, policy, matchers, secrets, to: url)
        }
    }

    /// Writes the bodies before the archive that names them, and removes those that none names after it, so that there is
    /// a whole cassette at any time.
    private func write(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        _ matchers: [Matcher],
        _ secrets: SecretKeeping,
        to url: URL
    ) throws {
        let cassette = policy == .replace ? Cassette() : try load() ?? Cassette()
        let folder = BodyFolder(beside: url)
        let archive = try secrets.archive(of: cassette, adding: recorded, path: url.path, bodiesIn: folder) {
            policy.interactions(of: $0, with: $1, matchers: matchers)
        }
        try folder.write(archive.bodies)
        try AtomicFile(url).write(archive.document)
        folder.removeBodies(except: archive.paths)
    }

    private func writing(to url: URL, _ body: (URL) throws -> Void) throws -> URL {
        do {
            let directory = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let lock = try DirectoryLock(directory)
            defer { lock.release() }
            try body(url)
        } catch let error as CassetteError {
            throw error
        } catch let error as UnredactedCredentials {
            throw error
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(error.localizedDescription))
        }
        return url
    }

    private var failedURL: URL {
        location.destination.deletingPathExtension().appendingPathExtension("failed.har")
    }
}
