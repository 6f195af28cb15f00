import Foundation

/// What the processes of one or more runs wrote that they played.
package struct Manifest: Sendable {
    /// When the first of the processes began.
    package let start: Date
    /// The uses of cassettes, with what came of each; `nil` for one that its test never ended.
    package let uses: [(use: ManifestUse, play: ManifestPlay?)]

    /// Reads manifests.
    ///
    /// One that is not whole is refused, for what it lacks may be what was used.
    /// - Parameter urls: Their files.
    /// - Throws: ``ManifestError`` for a line that cannot be read, or a process that did not end.
    package init(contentsOf urls: [URL]) throws {
        var starts: [Date] = []
        var uses: [(use: ManifestUse, play: ManifestPlay?)] = []
        for url in urls {
            let lines = try Self.lines(of: url)
            let (begun, ended) = (lines.began, lines.ended)
            if let run = lines.runs.first(where: { !ended.contains($0) || begun[$0] == nil }) {
                throw ManifestError(path: url.path, problem: .unended(begun[run]))
            }
            guard !begun.isEmpty else { throw ManifestError(path: url.path, problem: .empty) }
            starts += begun.values
            let plays = lines.plays
            uses += lines.opened.map { (use: $0, play: plays[$0]) }
        }
        guard let start = starts.min() else { throw ManifestError(path: "(none)", problem: .empty) }
        self.start = start
        self.uses = uses
    }

    private static func lines(of url: URL) throws -> [ManifestLine] {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw ManifestError(path: url.path, problem: .unreadable(error.localizedDescription))
        }
        guard !data.isEmpty else { throw ManifestError(path: url.path, problem: .empty) }
        let texts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // After the line feed of the last line there is nothing more.
        guard texts.last?.isEmpty == true else {
            throw ManifestError(path: url.path, problem: .brokenLine(texts.count))
        }
        return try texts.dropLast().enumerated().map { position, text in
            guard let line = ManifestLine(Data(text)) else {
                throw ManifestError(path: url.path, problem: .brokenLine(position + 1))
            }
            return line
        }
    }
}

extension [ManifestLine] {
    /// When each process began.
    fileprivate var began: [String: Date] {
        reduce(into: [:]) { if case .began(let run, let date) = $1 { $0[run] = date } }
    }

    /// The processes that ended.
    fileprivate var ended: Set<String> {
        reduce(into: []) { if case .ended(let run) = $1 { $0.insert(run) } }
    }

    /// All processes, in the order in which they appear.
    fileprivate var runs: [String] {
        map {
            switch $0 {
            case .began(let run, _), .ended(let run): run
            case .opened(let use), .ejected(let use, _): use.run
            }
        }
    }

    /// The uses that began.
    fileprivate var opened: [ManifestUse] {
        compactMap { if case .opened(let use) = $0 { use } else { nil } }
    }

    /// What came of those that ended.
    fileprivate var plays: [ManifestUse: ManifestPlay] {
        reduce(into: [:]) { if case .ejected(let use, let play) = $1 { $0[use] = play } }
    }
}
