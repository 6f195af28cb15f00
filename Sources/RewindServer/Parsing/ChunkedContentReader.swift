import Foundation
import Rewind

/// Reads a chunked body and the trailer section after it (RFC 9112 section 7.1).
struct ChunkedContentReader: Sendable {
    private enum Stage {
        case size
        case data(Int)
        case dataEnd
        case trailers
    }

    private let limits: HTTPLimits
    private var stage = Stage.size
    private var content = Data()
    private var spareExtensionBytes: Int
    private var trailers: FieldSectionReader

    init(limits: HTTPLimits) {
        self.limits = limits
        // The greatest limit of all still leaves room for the digits.
        spareExtensionBytes = min(limits.chunkExtensionBytes, .max - ChunkSize.digits)
        trailers = FieldSectionReader(limits: limits)
    }

    /// The whole body and its trailers, or nothing while their end has not arrived.
    mutating func read(
        from received: inout ReceivedBytes
    ) throws(HTTPRefusal) -> (content: Data, trailers: HeaderList)? {
        while true {
            switch stage {
            case .size:
                guard let size = try readSize(from: &received) else { return nil }
                stage = size == 0 ? .trailers : .data(size)
            case .data(let size):
                guard let chunk = received.take(size) else { return nil }
                content.append(contentsOf: chunk)
                stage = .dataEnd
            case .dataEnd:
                guard let end = received.take(2) else { return nil }
                guard end.elementsEqual("\r\n".utf8) else { throw .malformedChunkEnd }
                stage = .size
            case .trailers:
                guard let fields = try trailers.read(from: &received) else { return nil }
                return (content, fields)
            }
        }
    }

    private mutating func readSize(from received: inout ReceivedBytes) throws(HTTPRefusal) -> Int? {
        guard
            let line = try received.takeLine(
                atMost: ChunkSize.digits + spareExtensionBytes,
                otherwise: .chunkExtensionsTooLarge(limit: limits.chunkExtensionBytes)
            )
        else { return nil }
        spareExtensionBytes -= max(0, line.count - ChunkSize.digits)
        let size = try ChunkSize(parsing: line).bytes
        guard let size, size <= limits.contentBytes - content.count else {
            throw .contentTooLarge(limit: limits.contentBytes)
        }
        return size
    }
}
