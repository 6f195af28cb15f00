import Foundation

/// The large bodies in which the rules of one recording find no secrets.
///
/// A body is redacted when its request is looked up, for the journal, and when the cassette is saved. In a debug build, a
/// search through a megabyte of JSON takes 40 ms.
final class PlainBodies: Sendable {
    private struct Search: Hashable {
        let address: UInt
        let count: Int
        let mediaType: String?
        let message: MessageKind
        let host: String
    }

    private struct State {
        /// A stored body is never changed in place, and no other body has its address.
        var bodies: [Search: Data] = [:]
        var count = 0
    }

    /// The number of bytes from which a body is stored.
    private static let least = 16 * 1024
    /// The number of bytes that the stored bodies have together.
    private static let limit = 32 * 1024 * 1024
    private let state = Locked(State())

    /// Returns the redacted body, or `nil` without a search if an earlier one changed nothing.
    func edited(
        _ body: Data,
        mediaType: String?,
        of message: MessageKind,
        host: String,
        by edit: () -> Data?
    ) -> Data? {
        guard (Self.least...Self.limit).contains(body.count) else { return edit() }
        let address = body.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let search = Search(
            address: address,
            count: body.count,
            mediaType: mediaType,
            message: message,
            host: host
        )
        if state.withLock({ $0.bodies[search] != nil }) { return nil }
        let edited = edit()
        if edited == nil {
            state.withLock { state in
                if state.count + body.count > Self.limit { state = State() }
                state.bodies[search] = body
                state.count += body.count
            }
        }
        return edited
    }
}
