import Foundation

extension StubAnswer {
    /// A piece of a body that comes in pieces.
    public struct Piece: Hashable, Sendable {
        /// The bytes; a piece without any is a pause.
        public var data: Data
        /// How long after the piece before it, or after the head, it comes.
        public var pause: Duration

        /// Creates a piece.
        /// - Parameters:
        ///   - data: The bytes.
        ///   - pause: How long after the piece before it, or after the head, it comes; at once by default.
        public init(_ data: Data, after pause: Duration = .zero) {
            self.data = data
            self.pause = pause
        }

        /// Creates a piece from text, as UTF-8.
        /// - Parameters:
        ///   - text: The text.
        ///   - pause: How long after the piece before it, or after the head, it comes; at once by default.
        public init(_ text: String, after pause: Duration = .zero) {
            self.init(Data(text.utf8), after: pause)
        }
    }

    /// A response whose body comes in pieces, the first with the head and each other after the same pause.
    /// - Parameters:
    ///   - pieces: The bytes of each piece.
    ///   - pause: The time between one piece and the next.
    ///   - contentType: The `Content-Type`, unless the header fields have one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func chunks(
        _ pieces: [Data],
        every pause: Duration,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        chunks(
            pieces.enumerated().map { Piece($1, after: $0 == 0 ? .zero : pause) },
            contentType: contentType,
            status: status,
            headers: headers,
            fileID: fileID,
            filePath: filePath,
            line: line
        )
    }

    /// A response whose body comes in pieces, each after a pause of its own.
    ///
    /// ```swift
    /// .chunks(
    ///     [.init("data: 1\n\n"), .init("data: 2\n\n", after: .seconds(1)), .init("", after: .seconds(5))],
    ///     contentType: "text/event-stream"
    /// )
    /// ```
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - contentType: The `Content-Type`, unless the header fields have one; none by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func chunks(
        _ pieces: [Piece],
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        if let problem = pieces.lazy.compactMap({ StubProblem.negativeTime($0.pause, at: place) }).first {
            return StubAnswer(problem)
        }
        var data = Data()
        var chunks: [Body.Chunk] = []
        var time = 0.0
        for piece in pieces {
            time = min(time + StubTime.milliseconds(piece.pause), StubTime.endless)
            guard !piece.data.isEmpty else { continue }
            data += piece.data
            chunks.append(Body.Chunk(offset: time, count: piece.data.count))
        }
        let response = Response(
            status: status,
            headers: headers.adding(contentType: contentType),
            body: Body(data, chunks: chunks)
        )
        return StubAnswer(response, timing: Interaction.Timing(receive: time), at: place)
    }
}
