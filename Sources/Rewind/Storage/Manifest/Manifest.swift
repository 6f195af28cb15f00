import Foundation

/// The interactions that one or more test runs played.
package struct Manifest: Sendable {
    /// The time at which the first process began.
    package let start: Date
    /// The uses of cassettes; `play` is `nil` if the test never ended.
    package let uses: [(use: ManifestUse, play: ManifestPlay?)]

    /// Reads manifests. An incomplete manifest is an error, because the missing part may contain used cassettes.
    /// - Parameter urls: The files of the manifests.
    /// - Throws: ``ManifestError`` if a line is invalid, a process did not end, or a process ran only some tests.
    package init(contentsOf urls: [URL]) throws {
        var starts: [Date] = []
        var uses: [(use: ManifestUse, play: ManifestPlay?)] = []
        for url in urls {
            let lines = try Self.lines(of: url)
            var (begun, ended): ([String: Date], Set<String>) = ([:], [])
            var plays: [ManifestUse: ManifestPlay] = [:]
            for line in lines {
                switch line {
                case .began(let run, let date, let selected):
                    begun[run] = date
                    if let selected { throw ManifestError(path: url.path, problem: .partial(selected)) }
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
            throw ManifestError(path: url.path, problem: .unreadable(SystemCallError.cause(of: error)))
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
        /// A process ran only the tests that some arguments selected.
        case partial(String)
        case elsewhere(String)
    }

    package var description: String { message }

    package var errorDescription: String? {
        switch problem {
        case .unreadable(let cause): "The manifest \(path) cannot be read: \(cause.withoutFullStop)."
        case .empty: "The manifest \(path) is empty. No test of the run used a cassette."
        case .brokenLine(let number):
            "The manifest \(path):\(number) is invalid: this version of Rewind does not write such a line."
        case .unended(let start):
            "The manifest \(path) is incomplete: a process"
                + (start.map { " that started at \(HARDate.text($0))" } ?? "")
                + " did not end. It crashed or is still running."
        case .partial(let arguments):
            "The manifest \(path) is of a run of only some tests (\(arguments)). What the other tests use would look"
                + " unused."
        case .elsewhere(let folder): "The manifest \(path) contains no cassette in \(folder)."
        }
    }

    package var recoverySuggestion: String? {
        switch problem {
        case .unreadable, .empty: recreation
        case .brokenLine, .partial: "Delete the file. \(recreation)"
        case .unended: "Wait until the run ends. If it crashed, delete the file. \(recreation)"
        case .elsewhere: "Use the folder that the tests used, or the manifest of their run."
        }
    }

    private var recreation: String {
        "Run all tests with \(Environment.Variable.manifest.rawValue) set to its path."
    }
}
