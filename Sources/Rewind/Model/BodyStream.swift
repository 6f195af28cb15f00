import Foundation

extension Interaction {
    /// A body as an asynchronous sequence of pieces, each of which is read when it is asked for.
    ///
    /// ```swift
    /// for try await piece in response.body { received.append(piece) }
    /// ```
    ///
    /// The body of a request can be read again if its sequence can. The body of a response can be read once.
    public struct BodyStream: AsyncSequence, Sendable {
        enum Content: Sendable {
            /// All bytes are known. The pieces are the chunks of the body.
            case whole(Interaction.Body)
            case pieces(@Sendable () -> AsyncIterator)
        }

        let content: Content

        init(_ content: Content) { self.content = content }

        /// Creates a body whose bytes are known. They are read as one piece; an empty body has no piece.
        /// - Parameter data: The bytes.
        public init(_ data: Data) { content = .whole(Interaction.Body(data)) }

        /// Creates a body from a sequence of pieces.
        /// - Parameter pieces: The pieces. An error that the sequence throws is thrown to the reader.
        public init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
            content = .pieces {
                var iterator = pieces.makeAsyncIterator()
                return AsyncIterator { try await iterator.next() }
            }
        }

        /// Creates an iterator over the pieces.
        public func makeAsyncIterator() -> AsyncIterator {
            switch content {
            case .whole(let body): AsyncIterator(chunksOf: body)
            case .pieces(let make): make()
            }
        }

        /// Reads the whole body.
        /// - Parameter limit: The largest number of bytes; no limit by default.
        /// - Returns: The bytes.
        /// - Throws: ``Interaction/BodyStreamError/tooLong(limit:)`` if the body is longer; otherwise the error that ends it.
        public func collect(upTo limit: Int = .max) async throws -> Data {
            if case .whole(let body) = content {
                guard body.count <= limit else { throw BodyStreamError.tooLong(limit: limit) }
                return body.data
            }
            var data = Data()
            for try await piece in self {
                guard piece.count <= limit - data.count else { throw BodyStreamError.tooLong(limit: limit) }
                data.append(piece)
            }
            return data
        }

        /// Reads the pieces of a body, one after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let read: () async throws -> Data?

            init(_ read: @escaping () async throws -> Data?) { self.read = read }

            /// Copies each chunk when it is read, so that a large body is not in memory twice.
            fileprivate init(chunksOf body: Interaction.Body) {
                var counts = (body.chunks.isEmpty ? [body.count] : body.chunks.map(\.count))[...]
                var position = body.data.startIndex
                read = {
                    guard let count = counts.popFirst(), count > 0 else { return nil }
                    defer { position += count }
                    return count == body.count ? body.data : Data(body.data[position..<position + count])
                }
            }

            /// Waits for the next piece; `nil` at the end of the body.
            /// - Throws: The error that interrupts the body.
            public mutating func next() async throws -> Data? { try await read() }
        }
    }

    /// A response whose body is received in pieces.
    public struct StreamedResponse: Sendable {
        /// The status, the header fields and the rest of the response. Its body is empty.
        public var head: Interaction.Response
        /// The body. The network delivers no faster than it is read.
        public var body: BodyStream

        /// Creates a response.
        /// - Parameters:
        ///   - head: The status, the header fields and the rest of the response. Its own body is not used.
        ///   - body: The body.
        public init(_ head: Interaction.Response, body: BodyStream) {
            self.head = head
            self.head.body = Interaction.Body()
            self.body = body
        }
    }

    /// Why the body of a stream cannot be read.
    public enum BodyStreamError: Error, Hashable, Sendable {
        /// The body has more bytes than the limit of ``Interaction/BodyStream/collect(upTo:)``.
        case tooLong(limit: Int)
        /// The body of a response was read a second time.
        case alreadyRead
    }
}

extension Interaction.BodyStreamError: LocalizedError, CustomStringConvertible {
    /// What is wrong and how to fix it.
    public var description: String { message }

    /// What is wrong.
    public var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "The body has more than \(limit) bytes."
        case .alreadyRead: "The body of the response was already read."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .tooLong: "Pass a larger limit to `collect(upTo:)`, or read the body piece by piece."
        case .alreadyRead: "Store the bytes when you read them the first time, for example with `collect()`."
        }
    }
}

extension Interaction.StreamedResponse {
    /// A response that is complete.
    init(_ response: Interaction.Response) {
        self.init(response, body: Interaction.BodyStream(.whole(response.body)))
    }

    /// Reads the body.
    var whole: Interaction.Response {
        get async throws {
            var response = head
            switch body.content {
            case .whole(let body): response.body = body
            case .pieces: response.body = Interaction.Body(try await body.collect())
            }
            return response
        }
    }
}
