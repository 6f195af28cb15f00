import Foundation

/// What one or more test runs played.
package struct Manifest: Sendable {
    /// When the first process began.
    package let start: Date
    /// `nil` for a use that its test never ended.
    package let uses: [(use: ManifestUse, play: ManifestPlay?)]

    /// Refuses an incomplete manifest, as the missing part may name used cassettes.
    /// - Parameter urls: Their files.
    /// - Throws: ``ManifestError`` for a line that cannot be read, or a process that did not end.
    package init(contentsOf urls: [URL]) throws {
        var starts: [Date] = []
        var uses: [(use: ManifestUse, play: ManifestPlay?)] = []
        for url in urls {
            let lines = try Self.lines(of: url)
            var (begun, ended): ([String: Date], Set<String>) = ([:], [])
            var plays: [ManifestUse: ManifestPlay] = [:]
            for line in lines {
                switch line {
                case .began(let run, let date): begun[run] = date
                case .opened: break
                case .ejected(let use, let play): plays[use] = play
                case .ended(let run): ended.insert(run)
                }
            }
            if let run = lines.map(\.run).first(where: { !ended.contains($0) || begun[$0] == nil }) {
                throw ManifestError(path: url.path, problem: .unended(begun[run]))
            }
            starts += begun.values
            uses += lines.compactMap { line in
                if case .opened(let use) = line { (use, plays[use]) } else { nil }
            }
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
        // The last line ends with a line feed.
        guard texts.last?.isEmpty == true
        else { throw ManifestError(path: url.path, problem: .brokenLine(texts.count)) }
        return try texts.dropLast().enumerated().map { position, text in
            guard let line = ManifestLine(Data(text))
            else { throw ManifestError(path: url.path, problem: .brokenLine(position + 1)) }
            return line
        }
    }
}

package struct ManifestError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    package var path: String
    package var problem: Problem

    package init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    package enum Problem: Hashable, Sendable {
        case unreadable(String)
        case empty
        case brokenLine(Int)
        /// A process of the run crashed or still runs.
        case unended(Date?)
        case elsewhere(String)
    }

    package var description: String {
        switch problem {
        case .unreadable(let cause): "The manifest \(path) cannot be read: \(cause)\n  \(renewing)"
        case .empty: "The manifest \(path) is empty: no test of the run used a cassette.\n  \(renewing)"
        case .brokenLine(let number):
            "The manifest \(path):\(number) is broken: the line is none that this version of Rewind writes.\n"
                + "  Remove the file. \(renewing)"
        case .unended(let start):
            "The manifest \(path) is not whole: a process"
                + (start.map { " that began at \(HARDate.text($0))" } ?? "")
                + " did not end, so it crashed or still runs.\n"
                + "  Wait for the run to end; if it crashed, remove the file. \(renewing)"
        case .elsewhere(let folder):
            "The manifest \(path) names no cassette in \(folder), so it tells nothing about that folder.\n"
                + "  Name the folder that the tests used, or the manifest of their run."
        }
    }

    private var renewing: String {
        "Run all tests with \(Environment.Variable.manifest.rawValue) set to its path."
    }

    package var errorDescription: String? { description }
}
