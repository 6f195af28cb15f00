import Foundation

/// The parts of a multipart body (RFC 2046 section 5.1), such as a form with files (RFC 7578).
///
/// The bytes before the first part and after the last one are kept but mean nothing, and so do spaces after a
/// boundary. Lines may end with a line feed alone.
package struct MultipartContent: Sendable {
    /// One part.
    package struct Part: Hashable, Sendable {
        /// The header fields.
        package let headers: HeaderList
        /// The bytes after the headers.
        package let content: Data
        /// Where the content stands, counted from the first byte of the body.
        package let contentRange: Range<Int>
        /// What must follow where content is put in and there was not even a line end.
        fileprivate let missingLineEnd: Data
    }

    /// The parts in order; there is at least one.
    package let parts: [Part]
    private let data: Data
    private let boundary: String

    /// Reads a body, or returns `nil` where it has no part, no closing boundary or a part without headers' end.
    package init?(_ data: Data, boundary: String) {
        guard !boundary.isEmpty else { return nil }
        let parts = data.withUnsafeBytes { bytes in
            Self.parts(of: bytes, MultipartScanner(bytes, boundary: boundary))
        }
        guard let parts, !parts.isEmpty else { return nil }
        self.parts = parts
        self.data = data
        self.boundary = boundary
    }

    /// The boundary of a body whose first line is one, as all clients send it; at most 70 characters long.
    package static func boundary(beginning data: Data) -> String? {
        let start = data.prefix(80)
        var line = start.prefix { $0 != JSONByte.lineFeed }
        guard line.count < start.count, line.starts(with: "--".utf8) else { return nil }
        if line.last == JSONByte.carriageReturn { line.removeLast() }
        guard let boundary = String(wellFormed: line.dropFirst(2))?.trimmingSpaces() else { return nil }
        return (1...70).contains(boundary.utf8.count) ? boundary : nil
    }

    private static func parts(of bytes: UnsafeRawBufferPointer, _ scanner: MultipartScanner) -> [Part]? {
        guard var delimiter = scanner.delimiter(from: 0) else { return nil }
        var parts: [Part] = []
        while !delimiter.isClosing {
            guard let next = scanner.delimiter(from: delimiter.end),
                let start = scanner.endOfHeaders(from: delimiter.end, before: next.start)
            else { return nil }
            // The empty line may be the boundary's own line end, where a part has no content.
            let end = max(start, scanner.endWithoutLineEnd(of: delimiter.end..<next.start))
            let lacksLineEnd = start == next.start
            let lineEnd = scanner.endWithoutLineEnd(of: delimiter.end..<start)..<start
            parts.append(
                Part(
                    headers: HeaderList(partHeaders: bytes[delimiter.end..<start]),
                    content: Data(UnsafeRawBufferPointer(rebasing: bytes[start..<end])),
                    contentRange: start..<end,
                    missingLineEnd: lacksLineEnd ? Data(bytes[lineEnd]) : Data()
                )
            )
            delimiter = next
        }
        return parts
    }
}

extension MultipartContent {
    /// The body with the content of some parts replaced and every other byte as it was.
    ///
    /// The closure gives the new content of a part, which must not hold the boundary, or `nil` to leave it.
    package func replacingContents(_ replacement: (Part) -> Data?) -> Data {
        var result = Data()
        var position = 0
        for part in parts {
            guard let content = replacement(part) else { continue }
            result += data.dropFirst(position).prefix(part.contentRange.lowerBound - position)
            result += content
            if !content.isEmpty { result += part.missingLineEnd }
            position = part.contentRange.upperBound
        }
        return result + data.dropFirst(position)
    }

    /// A body of the parts that the closure does not choose; empty where it chooses all.
    package func removingParts(where isRemoved: (Part) -> Bool) -> Data {
        let left = parts.filter { !isRemoved($0) }
        guard left.count < parts.count else { return data }
        guard !left.isEmpty else { return Data() }
        var result = Data()
        for part in left {
            result += "--\(boundary)\r\n".utf8
            for field in part.headers { result += "\(field.name): \(field.value)\r\n".utf8 }
            result += "\r\n".utf8 + part.content + "\r\n".utf8
        }
        return result + "--\(boundary)--\r\n".utf8
    }

    /// Whether two parts count as the same.
    package static func areSame(_ left: Part, _ right: Part) -> Bool {
        left.canonicalHeader == right.canonicalHeader && left.content == right.content
    }

    /// Bytes that two bodies share exactly when they have the same parts in the same order.
    ///
    /// Parts are the same when their name, file name, content type and content are; boundaries, other headers
    /// and the spelling of headers are free.
    package var canonicalData: Data {
        var result = Data()
        for part in parts {
            result += (part.canonicalHeader + " \(part.content.count)\n").utf8
            result += part.content
            result.append(JSONByte.lineFeed)
        }
        return result
    }
}

extension MultipartContent.Part {
    /// The name of the form's field, or `nil`.
    package var name: String? { disposition?.name }

    /// The name of the file, or `nil`.
    package var fileName: String? { disposition?.fileName }

    /// The type of the content, or `nil` where none is given.
    package var mediaType: MediaType? { MediaType(headers["Content-Type"]) }

    private var disposition: ContentDisposition? {
        headers["Content-Disposition"].map(ContentDisposition.init)
    }

    fileprivate var canonicalHeader: String {
        let type = mediaType
        let parameters =
            type?.parameters.map { JSONObject.Member(name: $0.key, value: .string($0.value)) } ?? []
        let essence = type?.essence ?? headers["Content-Type"]
        let values = [name, fileName, essence].map { $0.map(JSON.string) ?? .null }
        return JSON.array(values + [.object(JSONObject(parameters))]).canonicalText() ?? ""
    }
}
