import Foundation

/// A file `redaction.rules` with rules that the tests of a project and the command share.
///
/// ```
/// # The keys of our partners
/// redact header:X-Team-Key
/// redact field:pin on host:*.example.com
/// keep session
/// allow 0123456789ab
/// ```
package enum RulesFile {
    /// The files for the cassettes of a folder: in the folder, and in those above it up to the root of the project.
    package static func files(for folder: URL) -> [URL] {
        let folder = folder.standardizedFileURL
        let files = folder.andFoldersAbove.map { $0.appendingPathComponent(RulesFileName.text) }
            .filter { FileStatus($0)?.kind == .file }
        // Most projects have no file, so the root is not looked up.
        guard !files.isEmpty else { return [] }
        let root = (ProjectRoot.above(folder.path) ?? folder).standardizedFileURL.pathComponents
        return files.filter { $0.deletingLastPathComponent().pathComponents.starts(with: root) }
    }

    /// Reads the rules of a file.
    /// - Throws: ``Stubber/ConfigurationError`` that names the line and the column.
    static func rules(of file: URL) throws -> [RuleText] {
        guard let status = FileStatus(file), status.size <= largest else {
            throw problem(file.path, "it has more than \(largest) bytes")
        }
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch { throw problem(file.path, "it cannot be read: \(SystemCallError.cause(of: error))") }
        return try rules(in: data, path: file.path)
    }

    static func rules(in data: Data, path: String) throws -> [RuleText] {
        guard let text = String(wellFormed: data) else { throw problem(path, "it is not UTF-8") }
        let lines = (text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return try lines.enumerated().compactMap { index, line -> RuleText? in
            do throws(RuleText.Problem) {
                return try RuleText(line: line)
            } catch { throw problem("\(path):\(index + 1):\(error.column)", error.cause) }
        }
    }

    private static func problem(_ place: String, _ cause: String) -> Stubber.ConfigurationError {
        .invalidRedaction("\(place): \(cause)")
    }

    private static let largest = 1 << 20
}

extension Redaction {
    /// The redaction with the rules of the files for a folder. Files are not read if redaction is off.
    /// - Throws: ``Stubber/ConfigurationError`` if a file cannot be read or a line is not a rule.
    package func withRules(for folder: URL) throws -> Redaction {
        guard knowsNames else { return self }
        var redaction = self
        for file in RulesFile.files(for: folder) {
            for rule in try RulesFile.rules(of: file) { redaction.add(rule) }
        }
        return redaction
    }
}
