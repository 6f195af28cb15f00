import Foundation

extension Cassette {
    /// The formats that are written, the native one first.
    package static let writableFormats: [any WritableCassetteFormat.Type] = [
        HARFormat.self, DVRFormat.self, VCRFormat.self,
    ]

    /// Writes the cassette to a file, whole or not at all.
    /// - Parameters:
    ///   - url: The file, which is replaced if it is there.
    ///   - format: The format; HAR by default.
    /// - Throws: ``CassetteError`` that names the file and the cause.
    public func write(to url: URL, as format: any WritableCassetteFormat.Type = HARFormat.self) throws {
        do {
            try AtomicFile(url).write(format.write(self))
        } catch {
            throw CassetteError(path: url.path, problem: .unwritable(error.localizedDescription))
        }
    }
}

extension Interaction {
    /// The date for formats that demand one, the first that a computer knows where none was read.
    var recordedAt: Date {
        startedAt == .distantPast ? Date(timeIntervalSince1970: 0) : startedAt
    }
}
