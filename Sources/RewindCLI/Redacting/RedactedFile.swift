import Foundation
import Rewind

/// A cassette without its secrets, ready to take the place of the file it was read from.
struct RedactedFile {
    /// What the cassette is called.
    let path: String
    /// What was taken out.
    let report: RedactionReport
    /// What still looks like a credential, where something does.
    let credentialsLeft: CredentialsLeft?
    /// The bytes to print.
    let document: Data

    private let form: Form

    private enum Form {
        case archive(CassetteRewrite)
        case other(URL)
        case foreign(String)
    }

    /// Reads a cassette and takes its secrets out.
    /// - Parameters:
    ///   - input: The cassette.
    ///   - redaction: What is secret.
    ///   - isPrinted: Whether its text is to stand by itself, with all bodies in it.
    /// - Throws: ``CassetteError`` where it cannot be read.
    init(_ input: CassetteInput, _ redaction: Redaction, isPrinted: Bool) throws {
        path = input.path
        let source = try CassetteSource(input)
        let redacted = RedactedCassette(source.cassette, redaction)
        if source.format == HARFormat.self {
            let rewrite = CassetteRewrite(
                redacted.cassette,
                to: isPrinted ? nil : source.url,
                from: source.folder,
                hidingWith: redacted.redactor
            )
            document = rewrite.document
            form = .archive(rewrite)
            report = RedactionReport(redacted, hidesMore: rewrite.hidesMore)
        } else {
            let format = source.writableFormat
            document = (format ?? HARFormat.self).write(redacted.cassette)
            form = source.url.flatMap { format == nil ? nil : .other($0) } ?? .foreign(source.format.name)
            report = RedactionReport(redacted, hidesMore: false)
        }
        credentialsLeft = CredentialsLeft(redacted, document: document, path: path)
    }

    /// Writes the file.
    /// - Throws: ``CassetteRewriteError`` where that fails, or ``UnwritableFormat`` where the format is only read.
    func write() throws {
        switch form {
        case .archive(let rewrite): try rewrite.write()
        case .other(let url): try WholeFile(url).write(document)
        case .foreign(let name): throw UnwritableFormat(path: path, format: name)
        }
    }
}

/// A cassette in a format that Rewind reads and does not write.
struct UnwritableFormat: Error, CustomStringConvertible {
    let path: String
    let format: String

    var description: String {
        "\(path) is in the format \(format), which Rewind does not write, and was left untouched.\n"
            + "  `rewind convert \(path) --to har` makes an archive of it, without its secrets."
    }
}
