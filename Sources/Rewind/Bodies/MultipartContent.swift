import Foundation

/// The parts of a multipart body (RFC 2046 section 5.1), such as a form with files (RFC 7578). Bytes before the first
/// part, bytes after the last part and spaces after a boundary are preserved but have no meaning. Lines may end with a
/// line feed alone.
package struct MultipartContent: Sendable {
    package struct Part: Hashable, Sendable {
        package let headers: HeaderList
        package let content: Data
        package let contentRange: Range<Int>
        /// The line end to insert before new content if the part had none.
        fileprivate let missingLineEnd: Data
    }

    /// The parts; there is at least one.
    package let parts: [Part]
    private let data: Data
    private let boundary: String

    /// Reads a body; `nil` if it has no part or no closing boundary, or if the headers of a part do not end.
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

    /// Reads a body with a multipart type; `nil` if it has another type or is invalid.
    init?(_ data: Data, mediaType: String?) {
        // `mu` is in `multipart/…`; most types are rejected by it.
        guard let mediaType,
            mediaType.utf8.contains(UInt8(ascii: "u")) || mediaType.utf8.contains(UInt8(ascii: "U")),
            let type = MediaType(mediaType), type.essence.hasPrefix("multipart/"),
            let boundary = type.parameters["boundary"] ?? Self.boundary(beginning: data)
        else { return nil }
        self.init(data, boundary: boundary)
    }

    /// The boundary in the first line, where every client sends it; at most 70 characters long.
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
            // The empty line may be the boundary's own line end, if a part has no content.
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

    /// Replaces the content of some parts and preserves every other byte. The closure returns the new content of a part,
    /// which must not contain the boundary, or `nil` to preserve it.
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

    /// The body without the parts that the closure selects; empty if it selects all parts.
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

    package static func areSame(_ left: Part, _ right: Part) -> Bool {
        left.canonicalHeader == right.canonicalHeader && left.content == right.content
    }

    /// Bytes that are equal for two bodies if and only if they have the same parts in the same order. Parts are the same if
    /// their names, file names, content types and contents are equal.
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
    package var name: String? { disposition?.name }
    package var fileName: String? { disposition?.fileName }
    package var mediaType: MediaType? { MediaType(headers["Content-Type"]) }
    private var disposition: ContentDisposition? { headers["Content-Disposition"].map(ContentDisposition.init) }

    fileprivate var canonicalHeader: String {
        let type = mediaType
        let parameters =
            type?.parameters.map { JSONObject.Member(name: $0.key, value: .string($0.value)) } ?? []
        let essence = type?.essence ?? headers["Content-Type"]
        let values = [name, fileName, essence].map { $0.map(JSON.string) ?? .null }
        return JSON.array(values + [.object(JSONObject(parameters))]).canonicalText() ?? ""
    }
}

/// Finds the lines that separate the parts of a multipart body (RFC 2046 section 5.1.1).
struct MultipartScanner {
    struct Delimiter {
        /// The offset of its first hyphen.
        var start: Int
        /// The offset after its line end.
        var end: Int
        /// Whether it ends the last part.
        var isClosing: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private let mark: [UInt8]

    init(_ bytes: UnsafeRawBufferPointer, boundary: String) {
        self.bytes = bytes
        mark = Array("--\(boundary)".utf8)
    }

    /// The first delimiter at or after the start of a line.
    func delimiter(from start: Int) -> Delimiter? {
        var lineStart = start
        while lineStart < bytes.count {
            if let delimiter = delimiter(at: lineStart) { return delimiter }
            lineStart = endOfLine(from: lineStart)
        }
        return nil
    }

    private func delimiter(at start: Int) -> Delimiter? {
        guard start + mark.count <= bytes.count,
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + mark.count]).elementsEqual(mark)
        else { return nil }
        var position = start + mark.count
        let isClosing = bytes[position...].starts(with: "--".utf8)
        if isClosing { position += 2 }
        while position < bytes.count, bytes[position] == JSONByte.space || bytes[position] == JSONByte.tab {
            position += 1
        }
        if bytes[position...].starts(with: "\r\n".utf8) { position += 1 }
        guard position == bytes.count || bytes[position] == JSONByte.lineFeed else { return nil }
        return Delimiter(start: start, end: min(position + 1, bytes.count), isClosing: isClosing)
    }

    /// The offset after the empty line that ends the headers of a part.
    func endOfHeaders(from start: Int, before end: Int) -> Int? {
        var lineStart = start
        while lineStart < end {
            let next = endOfLine(from: lineStart)
            guard next <= end else { return nil }
            if endWithoutLineEnd(of: lineStart..<next) == lineStart, bytes[next - 1] == JSONByte.lineFeed {
                return next
            }
            lineStart = next
        }
        return nil
    }

    /// The end of a range without its line end.
    func endWithoutLineEnd(of range: Range<Int>) -> Int {
        var end = range.upperBound
        guard end > range.lowerBound, bytes[end - 1] == JSONByte.lineFeed else { return end }
        end -= 1
        guard end > range.lowerBound, bytes[end - 1] == JSONByte.carriageReturn else { return end }
        return end - 1
    }

    private func endOfLine(from start: Int) -> Int {
        let place = bytes.bindMemory(to: UInt8.self).firstIndex(ofByte: JSONByte.lineFeed, from: start)
        return place.map { $0 + 1 } ?? bytes.count
    }
}

extension HeaderList {
    /// Reads the header lines of a part (RFC 5322 section 2.2); a line that begins with a space continues the previous
    /// one. Lines that are not UTF-8 are read as ISO 8859-1, so that no byte is lost.
    init(partHeaders bytes: Slice<UnsafeRawBufferPointer>) {
        self.init()
        for line in bytes.split(separator: JSONByte.lineFeed) {
            let text = Self.text(of: line.last == JSONByte.carriageReturn ? line.dropLast() : line)
            if text.utf8.first == JSONByte.space || text.utf8.first == JSONByte.tab {
                guard let last = fields.indices.last else { continue }
                fields[last].value += " " + text.trimmingSpaces()
            } else if let colon = text.utf8.firstIndex(of: JSONByte.colon) {
                let value = text[text.utf8.index(after: colon)...]
                append(text[..<colon].trimmingSpaces(), value.trimmingSpaces())
            }
        }
    }

    private static func text(of line: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = String(wellFormed: Array(line)) { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: line.lazy.map { Unicode.Scalar($0) })
        return String(scalars)
    }
}

/// The value of a `Content-Disposition` field (RFC 6266, RFC 7578 section 4.2).
package struct ContentDisposition: Hashable, Sendable {
    /// The disposition in lower case, such as `form-data`.
    package var kind: String
    /// The parameters, with names in lower case. If a name occurs twice, the first one counts.
    package var parameters: [String: String]

    package init(_ value: String) {
        let parts = ParameterizedValue(value, unquoted: Self.unquoted)
        kind = parts.value.lowercased()
        parameters = parts.parameters
    }

    package var name: String? { parameters["name"] }

    /// The `filename*` in UTF-8 (RFC 8187) if there is one, otherwise the `filename`.
    package var fileName: String? {
        parameters["filename*"].flatMap(Self.extendedValue) ?? parameters["filename"]
    }

    private static func extendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentDecoding.decoded(parts[2])
    }

    /// Removes quotes and escapes. Only quotes and backslashes can be escaped, because old browsers send Windows paths
    /// unescaped.
    private static func unquoted(_ value: String) -> String {
        let scalars = value.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return value }
        var result = String.UnicodeScalarView()
        var rest = scalars.dropFirst().dropLast()
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
                result.append(next)
                rest.removeFirst()
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
