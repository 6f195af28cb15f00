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
        // A recording made where the source tree cannot be reached is newer than the one that was shipped.
        for url in [location.destination, location.source] where exists(url) {
            return try Cassette(contentsOf: url)
        }
        return nil
    }

    /// Writes what was recorded, and returns the file.
    ///
    /// Another process may have recorded the same cassette meanwhile. Under the lock, `newEpisodes` adds to what is
    /// there now, and `once` adds what a cassette that appeared in between lacks: nobody's recording is lost.
    package func save(_ recorded: [Interaction], mode: RecordingMode, matchers: [Matcher]) throws -> URL {
        try writing(to: location.destination) { url in
            var cassette = mode == .all ? Cassette() : try load() ?? Cassette()
            switch mode {
            case .once: cassette.interactions += cassette.lacking(recorded, matchers: matchers)
            default: cassette.interactions += recorded
            }
            try AtomicFile(url).write(HARFormat.write(cassette))
            try? FileManager.default.removeItem(at: failedURL)
        }
    }

    /// Writes the recording of a failed test beside the cassette, and returns the file.
    package func saveBeside(_ recorded: [Interaction], mode: RecordingMode) throws -> URL {
        try writing(to: failedURL) { url in
            var cassette = mode == .newEpisodes ? try load() ?? Cassette() : Cassette()
            cassette.interactions += recorded
            try AtomicFile(url).write(HARFormat.write(cassette))
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
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(error.localizedDescription))
        }
        return url
    }

    private var failedURL: URL {
        location.destination.deletingPathExtension().appendingPathExtension("failed.har")
    }

    private func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }
}

extension Cassette {
    /// Those of the recorded interactions whose requests this cassette does not have as often.
    fileprivate func lacking(_ recorded: [Interaction], matchers: [Matcher]) -> [Interaction] {
        var present: [InteractionIndex.Key: Int] = [:]
        let index = InteractionIndex([], matchers: matchers)
        for interaction in interactions { present[index.key(of: interaction.request), default: 0] += 1 }
        return recorded.filter { interaction in
            let key = index.key(of: interaction.request)
            guard let count = present[key], count > 0 else { return true }
            present[key] = count - 1
            return false
        }
    }
}
