import Foundation

/// A few characters of a body around the place where it differs from another.
struct BodyExcerpt: CustomStringConvertible {
    /// The bytes shown on either side of the place.
    private static let reach = 24
    /// The longest text that is shown whole where it stands for a value.
    static let longestValue = 60
    private let data: Data
    private let position: Int

    init(_ data: Data, around position: Int) {
        self.data = data
        self.position = min(position, data.count)
    }

    var description: String {
        guard !data.isEmpty else { return "no bytes" }
        let lower = boundary(near: max(0, position - Self.reach))
        let upper = boundary(near: min(data.count, position + Self.reach))
        let slice = data[data.startIndex + lower..<data.startIndex + upper]
        let text = String(decoding: slice, as: UTF8.self)
        let shown =
            text.unicodeScalars.allSatisfy(Self.isReadable)
            ? text.debugDescription : slice.map { Hexadecimal.text($0, digits: 2) }.joined(separator: " ")
        return "\(lower > 0 ? "…" : "")\(shown)\(upper < data.count ? "…" : "") (\(data.count) bytes)"
    }

    /// The next place at which no character of UTF-8 is cut in two; bytes that are no UTF-8 are cut anywhere.
    private func boundary(near place: Int) -> Int {
        guard place > 0 else { return 0 }
        let candidates = place..<min(place + 4, data.count)
        return candidates.first { data[data.startIndex + $0] & 0xC0 != 0x80 } ?? min(place, data.count)
    }

    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar != "\u{FFFD}" || scalar == "\t" || scalar == "\r" || scalar == "\n"
    }
}

extension Projection {
    /// The number of bytes with which two projections begin alike.
    func commonLength(with other: Projection) -> Int {
        bytes.commonLength(with: other.bytes)
    }

    /// The projection in a few words, around a place where it is long; `nil` where the request has no such part.
    func excerpt(around place: Int) -> String? {
        switch self {
        case .absent: nil
        case .text(let text): text.utf8.count <= 200 ? text : BodyExcerpt(bytes, around: place).description
        case .bytes, .parts: BodyExcerpt(bytes, around: place).description
        }
    }

    private var bytes: Data {
        switch self {
        case .absent: Data()
        case .text(let text): Data(text.utf8)
        case .bytes(let data), .parts(let data): data
        }
    }
}
