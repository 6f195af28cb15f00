import Foundation

/// The lines that this process adds to one manifest: its start, its uses of cassettes, and its end.
package final class ManifestRun: Sendable {
    private struct State: Sendable {
        var hasBegun = false
        var hasEnded = false
        var hasFailed = false
        var useCount = 0
    }

    /// The manifests of this process, by path.
    private static let runs: Locked<[String: ManifestRun]> = {
        // Code coverage is written at the same moment, so every test runner gets there.
        atexit { for run in ManifestRun.runs.withLock({ $0.values }) { run.end() } }
        return Locked([:])
    }()

    private let identifier = UUID().uuidString
    private let url: URL
    private let state = Locked(State())

    package init(_ url: URL) { self.url = url }

    package static func of(_ path: String) -> ManifestRun {
        runs.withLock { runs in
            if let run = runs[path] { return run }
            let run = ManifestRun(URL(fileURLWithPath: path))
            runs[path] = run
            return run
        }
    }

    /// Adds a line for a test that is about to use a cassette.
    /// - Throws: ``Stubber/ConfigurationError`` if the manifest cannot be written, because a missing manifest must not go
    ///   unnoticed.
    package func open(_ location: CassetteLocation, by test: String?) throws -> ManifestUse {
        let file = location.current
        let root = ProjectRoot.above(file.deletingLastPathComponent().path)
        let number = state.withLock { state in
            state.useCount += 1
            return state.useCount
        }
        let use = ManifestUse(
            run: identifier,
            number: number,
            cassette: file.path,
            packagePath: root.flatMap { file.path(below: $0) },
            test: test
        )
        do {
            let isFirst = state.withLock { state in
                defer { state.hasBegun = true }
                return !state.hasBegun
            }
            if isFirst {
                let selected = TestSelection.current.arguments
                try add(.began(run: identifier, at: WallClock.current.now(), selected: selected))
            }
            try add(.opened(use: use))
        } catch {
            throw Stubber.ConfigurationError.unwritableManifest(
                url.path,
                cause: SystemCallError.cause(of: error)
            )
        }
        return use
    }

    package func close(_ use: ManifestUse, _ play: ManifestPlay) { try? add(.ejected(use: use, play)) }

    /// Adds the end of the process, unless a line could not be written. Only the first call has an effect.
    package func end() {
        let isSound = state.withLock { state in
            defer { state.hasEnded = true }
            return state.hasBegun && !state.hasEnded && !state.hasFailed
        }
        if isSound { try? add(.ended(run: identifier)) }
    }

    private func add(_ line: ManifestLine) throws {
        do {
            try write(line)
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst {
                Note.print(
                    "the manifest \(url.path) cannot be written, so `rewind prune` cannot use it: "
                        + SystemCallError.cause(of: error)
                )
            }
            throw error
        }
    }

    /// Adds a line atomically, even if other threads and processes add lines at the same time.
    private func write(_ line: ManifestLine) throws {
        let descriptor = Foundation.open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemCallError("open", url.path) }
        // Closing the file releases the lock.
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemCallError("lock", url.path) }
        }
        let size = try handle.seekToEnd()
        do {
            try handle.write(contentsOf: line.text + [JSONByte.lineFeed])
        } catch {
            // A full disk may have accepted a part of the line.
            _ = ftruncate(descriptor, off_t(size))
            throw error
        }
    }
}

extension URL {
    /// The path relative to a folder; `nil` outside of it.
    package func path(below folder: URL) -> String? {
        let (parts, start) = (pathComponents, folder.pathComponents)
        guard parts.count > start.count, parts.starts(with: start) else { return nil }
        return parts.dropFirst(start.count).joined(separator: "/")
    }
}
