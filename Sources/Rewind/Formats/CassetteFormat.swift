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

/// A format whose bodies may be in separate files.
package protocol AttachingCassetteFormat: CassetteFormat {
    /// Opens a cassette whose bodies may be in files beside it.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits) throws -> RecordedCassette
}

/// A format whose bodies may be compressed, so that they may be larger than the file.
package protocol InflatingCassetteFormat: CassetteFormat {
    /// Reads a cassette within limits.
    /// - Throws: ``CassetteProblem`` for what is wrong and where.
    static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette
}

extension Cassette {
    /// The readable formats, the native one first.
    package static let formats: [any CassetteFormat.Type] = [
        HARFormat.self, DVRFormat.self, VinylFormat.self, LaserDiscFormat.self, VCRFormat.self,
        VCRYAMLFormat.self, VCRPyFormat.self, BeKindRewindFormat.self, JSZVCRFormat.self,
        MocktailFormat.self, CurlFormat.self,
    ]

    /// The writable formats, the native one first.
    package static let writableFormats: [any WritableCassetteFormat.Type] = [
        HARFormat.self, DVRFormat.self, VCRFormat.self,
    ]
}

/// What a file may ask of the reader before it is refused.
package struct CassetteLimits: Sendable, Hashable {
    /// The number of bytes of the file, checked before the file is read.
    package var maximumSize: Int
    package var maximumInteractions: Int
    /// The number of bytes that one compressed body may grow to, which could be a thousand times its size.
    package var maximumInflatedBody: Int
    /// The number of bytes that all compressed bodies together may grow to.
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

    package static let `default` = CassetteLimits()

    static func tooManyInteractions(_ limit: Int) -> CassetteProblem {
        .tooLarge("it has more than \(limit) interactions")
    }
}
