import Foundation

/// A file format in which cassettes are read. Files are recognized by their content, never by their names.
public enum CassetteFormat: CaseIterable, Hashable, Sendable {
    /// HTTP Archive 1.2 (<http://www.softwareishard.com/blog/har-12-spec/>), the format that Rewind records.
    case har
    /// The JSON of DVR.
    case dvr
    /// The JSON of Vinyl.
    case vinyl
    /// The YAML-like files of LaserDisc.
    case laserDisc
    /// The JSON of VCR and betamax, and of vcrpy.
    case vcr
    /// The YAML of VCR and go-vcr.
    case vcrYAML
    /// The YAML of vcrpy.
    case vcrpy
    /// The JSON of BeKindRewind.
    case beKindRewind
    /// The property lists of JSZVCR.
    case jszvcr
    /// The `.tail` files of Mocktail.
    case mocktail
    /// The output of `curl -is`.
    case curl

    /// The format's name in messages, such as `HAR 1.2`.
    public var name: String { reader.name }

    /// Whether cassettes can be written in this format: HAR, DVR and VCR JSON can.
    public var isWritable: Bool { writer != nil }

    /// Recognizes the format of a file by its content.
    /// - Parameter data: The content. The beginning of the text decides, so an invalid file can be recognized too.
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

    /// Whether bytes look like this format, judged by their content and never by a file's name.
    static func recognizes(_ data: Data) -> Bool

    /// Reads a cassette.
    /// - Throws: ``CassetteError/Problem`` for what is wrong and where.
    static func read(_ data: Data) throws -> Cassette
}

/// Reads and writes one format.
package protocol CassetteWriter: CassetteReader {
    /// Writes a cassette; the same cassette always gives the same bytes.
    static func write(_ cassette: Cassette) -> Data
}

/// A format whose bodies may be in separate files.
package protocol AttachingCassetteReader: CassetteReader {
    /// Opens a cassette whose bodies may be in files beside it.
    /// - Throws: ``CassetteError/Problem`` for what is wrong and where.
    static func open(_ data: Data, attachments: Attachments?, limits: CassetteLimits) throws -> RecordedCassette
}

/// A format whose bodies may be compressed, so that they may be larger than the file.
package protocol InflatingCassetteReader: CassetteReader {
    /// Reads a cassette within limits.
    /// - Throws: ``CassetteError/Problem`` for what is wrong and where.
    static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette
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

    static func tooManyInteractions(_ limit: Int) -> CassetteError.Problem {
        .tooLarge("it has more than \(limit) interactions")
    }
}
