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
