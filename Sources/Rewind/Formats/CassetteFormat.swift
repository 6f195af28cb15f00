import Foundation

/// A way to write a cassette down.
public protocol CassetteFormat: Sendable {
    /// The format's name, as messages use it.
    static var name: String { get }

    /// Whether bytes look like this format, judged by their content and never by a file's name.
    static func recognizes(_ data: Data) -> Bool

    /// Reads a cassette.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    static func read(_ data: Data) throws -> Cassette
}

/// A format in which cassettes are also written.
public protocol WritableCassetteFormat: CassetteFormat {
    /// Writes a cassette; the same cassette always gives the same bytes.
    static func write(_ cassette: Cassette) -> Data
}

/// A format whose bodies may stand in files of their own.
package protocol AttachingCassetteFormat: CassetteFormat {
    /// Opens a cassette whose bodies may stand in files beside it.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits) throws -> RecordedCassette
}

/// A format whose bodies may stand compressed, and so ask for more than a file has bytes.
package protocol InflatingCassetteFormat: CassetteFormat {
    /// Reads a cassette that may ask for no more than the limits.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette
}

extension Cassette {
    /// The formats that are read, the native one first.
    package static let formats: [any CassetteFormat.Type] = [
        HARFormat.self, DVRFormat.self, VinylFormat.self, LaserDiscFormat.self, VCRFormat.self,
        VCRYAMLFormat.self, VCRPyFormat.self, BeKindRewindFormat.self, JSZVCRFormat.self,
        MocktailFormat.self, CurlFormat.self,
    ]

    /// The formats that are written, the native one first.
    package static let writableFormats: [any WritableCassetteFormat.Type] = [
        HARFormat.self, DVRFormat.self, VCRFormat.self,
    ]
}

/// What a file may ask of the reader before it is refused.
package struct CassetteLimits: Sendable, Hashable {
    /// The number of bytes of the file, which is looked at before the file is read.
    package var maximumSize: Int
    package var maximumInteractions: Int
    /// The number of bytes that one compressed body may grow to; a small file could otherwise ask for a thousand times
    /// its size.
    package var maximumInflatedBody: Int
    /// The number of bytes that all compressed bodies together may grow to, which is what a file may have.
    package var maximumInflatedSize: Int

    package init(
        maximumSize: Int = 1 << 30,
        maximumInteractions: Int = 1_000_000,
        maximumInflatedBody: Int = 1 << 28,
        maximumInflatedSize: Int = 1 << 30
    ) {
        self.maximumSize = maximumSize
        self.maximumInteractions = maximumInteractions
        self.maximumInflatedBody = maximumInflatedBody
        self.maximumInflatedSize = maximumInflatedSize
    }

    /// The limits for files of unknown origin.
    package static let `default` = CassetteLimits()

    /// What is wrong with a file of more interactions than allowed.
    static func tooManyInteractions(_ limit: Int) -> CassetteProblem {
        .tooLarge("it has more than \(limit) interactions")
    }
}
