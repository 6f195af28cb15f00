import Foundation

/// The part of a request that a matcher compares.
package enum Projection: Hashable, Sendable {
    /// The request has no such part.
    case absent
    /// The part is text.
    case text(String)
    /// The part is bytes.
    case bytes(Data)
    /// The part is the parts of a multipart body, which must not equal a body of the bytes that write them down.
    case parts(Data)

    /// Whether two projections are the same, byte by byte: letters that only Unicode holds equivalent differ.
    package static func == (left: Projection, right: Projection) -> Bool {
        switch (left, right) {
        case (.absent, .absent): true
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)), (.parts(let left), .parts(let right)): left == right
        default: false
        }
    }

    /// Hashes all of it: `Data` would hash its first bytes, which the bodies of one API have in common.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .absent: hasher.combine(0)
        case .text(let text): hasher.combine(text)
        case .bytes(let data), .parts(let data): data.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
