import Foundation

/// A file format that Rewind can read. Rewind recognizes the format of a file by its content, never by its name.
public enum CassetteFormat: CaseIterable, Hashable, Sendable {
    /// HTTP Archive 1.2 (<http://www.softwareishard.com/blog/har-12-spec/>), the format that Rewind records.
    case har
    /// The JSON files of DVR.
    case dvr
    /// The JSON files of Vinyl.
    case vinyl
    /// The JSON files of LaserDisc.
    case laserDisc
    /// The JSON files of VCR (Ruby), betamax and vcrpy.
    case vcr
    /// The YAML files of VCR (Ruby), vcrpy and go-vcr.
    case vcrYAML
    /// The JSON files of early versions of vcrpy, which contain no version number.
    case vcrpy
    /// The property lists of BeKindRewind.
    case beKindRewind
    /// The property lists of JSZVCR.
    case jszvcr
    /// The `.tail` files of Mocktail.
    case mocktail
    /// The output of `curl -is`: one response without a request.
    case curl

    /// The format's name in messages, such as `HAR 1.2`.
    public var name: String { reader.name }

    /// Whether Rewind can write cassettes in this format. It can write HAR, DVR and the JSON of VCR.
    public var isWritable: Bool { writer != nil }

    /// Recognizes the format of a file by its content.
    ///
    /// Returns `nil` if no format matches.
    /// - Parameter data: The content of the file. Only its beginning is checked, so an invalid file can be recognized too.
    public init?(recognizing data: Data) {
        guard let format = Self.allCases.first(where: { $0.reader.recognizes(data) }) else { return nil }
        self = format
    }

    package var reader: any CassetteReader.Type {
        switch self {
        case .har: HARFormat.self
        case .dvr: DVRFormat.self
        case .vinyl: VinylFormat.self
        case .laserDisc: LaserDiscFormat.self
        case .vcr: VCRFormat.self
        case .vcrYAML: VCRYAMLFormat.self
        case .vcrpy: VCRPyFormat.self
        case .beKindRewind: BeKindRewindFormat.self
        case .jszvcr: JSZVCRFormat.self
        case .mocktail: MocktailFormat.self
        case .curl: CurlFormat.self
        }
    }

    package var writer: (any CassetteWriter.Type)? { reader as? any CassetteWriter.Type }
}

/// Reads one format.
package protocol CassetteReader: Sendable {
    /// The format's name in messages.
    static var name: String { get }

    /// Whether the content looks like this format.
    static func recognizes(_ data: Data) -> Bool

    /// Reads a cassette.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    static func read(_ data: Data) throws -> Cassette
}

/// Reads and writes one format.
package protocol CassetteWriter: CassetteReader {
    /// Writes a cassette. The same cassette always results in the same bytes.
    static func write(_ cassette: Cassette) -> Data
}

/// A format whose bodies may be in separate files.
package protocol AttachingCassetteReader: CassetteReader {
    /// Opens a cassette whose bodies may be in separate files.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits) throws -> RecordedCassette
}

/// A format with compressed bodies, which may be larger than the file when decompressed.
package protocol InflatingCassetteReader: CassetteReader {
    /// Reads a cassette within limits.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid or too large.
    static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette
}

/// The limits above which a reader rejects a file.
package struct CassetteLimits: Sendable, Hashable {
    /// The size of the file in bytes, checked before the file is read.
    package var maximumSize: Int
    package var maximumInteractions: Int
    /// The decompressed size of one body in bytes. A compressed body can grow a thousandfold.
    package var maximumInflatedBody: Int
    /// The decompressed size of all bodies together in bytes.
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

    static func tooManyInteractions(_ limit: Int) -> CassetteError.Problem {
        .tooLarge("it has more than \(limit) interactions")
    }
}
