import Foundation

/// An interaction as the entry of an archive on one line, its great bodies in base64 that is made piece by piece.
struct JournalEntryText {
    private enum Part {
        case text(Data)
        case base64(Data)
    }

    private let parts: [Part]

    /// The number of bytes.
    var count: Int {
        parts.reduce(0) { count, part in
            switch part {
            case .text(let text): count + text.count
            case .base64(let data): count + (data.count + 2) / 3 * 4
            }
        }
    }

    init(_ interaction: Interaction) {
        let bodies = [interaction.request.body, interaction.response?.body].map(Self.great)
        let paths = BodyPaths(
            request: bodies[0].map { _ in Self.requestMark },
            response: bodies[1].map { _ in Self.responseMark }
        )
        var writer = JSONWriter(onOneLine: true, reservingCapacity: 4096)
        HAREntry.write(interaction, bodiesAt: paths, to: &writer)
        var rest = writer.elements()
        var parts: [Part] = []
        let places = [(Self.requestMark, "_encoding"), (Self.responseMark, "encoding")]
        for ((mark, encoding), body) in zip(places, bodies) {
            guard let body, let place = rest.range(of: Data("\"_file\": \"\(mark)\"".utf8)) else { continue }
            let head = Data("\"\(encoding)\": \"base64\",\"text\": \"".utf8)
            parts += [.text(rest[..<place.lowerBound] + head), .base64(body)]
            rest = Data("\"".utf8) + rest[place.upperBound...]
        }
        self.parts = parts + [.text(rest)]
    }

    /// Gives the text away in order.
    func eachPart(_ body: (Data) throws -> Void) rethrows {
        for part in parts {
            switch part {
            case .text(let text): try body(text)
            case .base64(let data):
                for start in stride(from: data.startIndex, to: data.endIndex, by: Self.step) {
                    try body(data[start..<min(data.endIndex, start + Self.step)].base64EncodedData())
                }
            }
        }
    }

    // MARK: Great bodies

    // Marks in the place of great bodies; no string of an entry can look like a member that has one.
    private static let requestMark = "journal:request"
    private static let responseMark = "journal:response"

    private static func great(_ body: Body?) -> Data? {
        body.flatMap { $0.count > limit ? $0.data : nil }
    }

    private static let limit = 64 * 1024
    /// A number of bytes that base64 spells without padding.
    private static let step = 384 * 1024
}
