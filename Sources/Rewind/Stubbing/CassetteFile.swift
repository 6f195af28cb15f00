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
        location.exists ? try Cassette(contentsOf: location.current) : nil
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
            try AtomicFile(url).write(document(recorded, policy, matchers, secrets, at: url))
            try? FileManager.default.removeItem(at: failedURL)
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
            try AtomicFile(url).write(document(recorded, policy, matchers, secrets, at: url))
        }
    }

    private func document(
        _ recorded: [Interaction],
        _ policy: SavePolicy,
        _ matchers: [Matcher],
        _ secrets: SecretKeeping,
        at url: URL
    ) throws -> Data {
        let cassette = policy == .replace ? Cassette() : try load() ?? Cassette()
        return try secrets.document(of: cassette, adding: recorded, path: url.path) { present, recorded in
            policy.interactions(of: present, with: recorded, matchers: matchers)
        }
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
