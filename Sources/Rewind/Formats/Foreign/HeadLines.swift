import Foundation

/// The lines before a body, ended by a line feed with or without a carriage return.
struct HeadLines {
    /// What follows the lines that were read.
    private(set) var rest: Data
    private var number = 0

    init(_ data: Data) {
        rest = data
    }

    /// The next line without its end; `nil` where no line ends any more.
    mutating func next() -> String? {
        number += 1
        guard let end = rest.firstIndex(of: JSONByte.lineFeed) else { return nil }
        let line = rest[rest.startIndex..<end]
        rest = rest[(end + 1)...]
        return String(decoding: line.last == JSONByte.carriageReturn ? line.dropLast() : line, as: UTF8.self)
    }

    /// The header fields up to the empty line that ends them.
    mutating func headerFields() throws -> HeaderList {
        var headers = HeaderList()
        while let line = next() {
            if line.isEmpty { return headers }
            headers.fields.append(try field(line))
        }
        throw problem("the header has no end, which is an empty line")
    }

    /// A header field from the line that was read last.
    func field(_ line: String) throws -> HeaderList.Field {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, !name.isEmpty, !name.contains(where: \.isWhitespace)
        else {
            throw problem("expected a header field, such as `Content-Type: text/plain`")
        }
        return HeaderList.Field(name: String(name), value: parts[1].trimmingSpaces())
    }

    func problem(_ cause: String) -> CassetteProblem {
        .syntax(line: number, column: 1, cause: cause)
    }
}
