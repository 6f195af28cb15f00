import Foundation

/// The bytes of a message, with the pieces they arrived in.
public struct Body: Hashable, Sendable {
    /// All the bytes.
    public var data: Data {
        didSet {
            if data.count != oldValue.count { chunks = [] }
            if data.startIndex != 0 { data = Data(data) }
        }
    }

    /// The pieces the bytes arrived in, where there was more than one; together they make the whole.
    public private(set) var chunks: [Chunk]

    /// One piece of a body as it arrived.
    public struct Chunk: Hashable, Sendable {
        /// How long after the head of the response the piece arrived, in milliseconds.
        public var offset: Double
        /// The number of its bytes.
        public var count: Int

        /// Creates a piece from milliseconds, to the microsecond, and a number of bytes.
        public init(offset: Double, count: Int) {
            self.offset = offset.roundedToThousandths
            self.count = count
        }
    }

    /// Creates a body that arrived in one piece.
    /// - Parameter data: The bytes; none by default.
    public init(_ data: Data = Data()) {
        // Apps and stubs are given these bytes, and most code expects their indices to begin at 0.
        self.data = data.startIndex == 0 ? data : Data(data)
        self.chunks = []
    }

    /// Creates a body from text, as UTF-8.
    public init(_ text: String) {
        self.init(Data(text.utf8))
    }

    /// Creates a body that arrived in pieces.
    /// - Parameters:
    ///   - data: All the bytes.
    ///   - chunks: The pieces; they are ignored where there are fewer than two or they do not add up to the bytes.
    public init(_ data: Data, chunks: [Chunk]) {
        self.init(data)
        if chunks.count > 1, chunks.allSatisfy({ $0.count > 0 && $0.count <= data.count }),
            chunks.reduce(0, { $0 + $1.count }) == data.count
        {
            self.chunks = chunks
        }
    }
}

extension Body {
    /// Whether there are no bytes.
    public var isEmpty: Bool { data.isEmpty }

    /// The number of bytes.
    public var count: Int { data.count }

    /// The bytes, piece by piece, each with indices that begin at 0; none for an empty body.
    package var pieces: [Data] {
        guard chunks.count > 1 else { return data.isEmpty ? [] : [data] }
        var position = data.startIndex
        return chunks.map { chunk in
            defer { position += chunk.count }
            return Data(data[position..<position + chunk.count])
        }
    }
}
