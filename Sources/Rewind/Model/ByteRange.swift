import Foundation

/// The part of a body that a request asks for in its `Range` field (RFC 9110 section 14.1.2).
enum ByteRange: Hashable, Sendable {
    /// The positions of the bytes.
    case part(Range<Int>)
    /// The range begins after the last byte.
    case unsatisfiable

    /// Reads the value of a `Range` field.
    ///
    /// `nil` for another unit, an invalid range, and several ranges: a server may ignore these, and Rewind does.
    /// - Parameters:
    ///   - field: The value, such as `bytes=0-99`.
    ///   - count: The number of bytes of the whole body.
    init?(_ field: String, ofBodyWith count: Int) {
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingSpaces().lowercased() == "bytes" else { return nil }
        // A list may have empty elements (RFC 9110 section 5.6.1.2).
        let ranges = parts[1].split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
        guard ranges.count == 1 else { return nil }
        let ends = ranges[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else { return nil }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (nil, nil): return nil
        case (nil, let length?):
            self = length == 0 ? .unsatisfiable : .part(count - min(length, count)..<count)
        case (let first?, let last):
            if let last, last < first { return nil }
            self = first >= count ? .unsatisfiable : .part(first..<min(last ?? count - 1, count - 1) + 1)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { JSONByte.zero...JSONByte.nine ~= byte }

    /// A number of any length; a number that is too large is larger than every body. `nil` for no digits.
    private static func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? Int.max }
}

extension Interaction {
    /// Replaces a whole response by the part that a request asks for, as a server does that accepts ranges.
    ///
    /// Only a complete 200 to a GET is sliced (RFC 9110 section 14.2). A range applies to the encoded body, and a
    /// recorded body is decoded, so a response with a content coding stays whole. So does one whose fields say that the
    /// server does not accept ranges.
    /// - Parameter request: The request.
    /// - Returns: Whether the response was replaced.
    @discardableResult
    mutating func takePart(askedForBy request: Interaction.Request) -> Bool {
        guard case .response(let whole) = outcome, whole.isSliceable, request.method == "GET",
            whole.headers["Accept-Ranges"]?.lowercased() != "none", whole.isCurrent(for: request)
        else { return false }
        let fields = request.headers.values(for: "Range")
        guard fields.count == 1, let range = ByteRange(fields[0], ofBodyWith: whole.body.count) else {
            return false
        }
        outcome = .response(whole.part(range))
        // A body in one chunk arrives at the end.
        if let last = whole.body.arrivals(in: range).last { timing.receive = last.offset }
        return true
    }
}

extension Interaction.Response {
    fileprivate var isSliceable: Bool {
        status == 200 && !body.isEmpty && headers.contentCodings.isEmpty
    }

    /// Whether the server announced that it slices this response.
    var announcesRanges: Bool {
        let units = headers["Accept-Ranges"]?.split(separator: ",") ?? []
        return isSliceable && units.contains { $0.trimmingSpaces().lowercased() == "bytes" }
    }

    /// Whether the part belongs to the version that the client has (RFC 9110 section 13.1.5). Both validators are
    /// compared by the strong comparison, in which a weak tag is never equal.
    fileprivate func isCurrent(for request: Interaction.Request) -> Bool {
        guard let validator = request.headers["If-Range"]?.trimmingSpaces() else { return true }
        if validator.hasPrefix("\"") { return validator == headers["ETag"]?.trimmingSpaces() }
        guard let date = HTTPDate.date(validator) else { return false }
        return headers["Last-Modified"].flatMap(HTTPDate.date) == date
    }

    fileprivate func part(_ range: ByteRange) -> Interaction.Response {
        var response = self
        // They describe the whole body (RFC 9530 section 2).
        for name in ["Content-MD5", "Content-Digest"] { response.headers.removeAll(named: name) }
        switch range {
        case .part(let positions):
            (response.status, response.statusText) = (206, "Partial Content")
            response.headers["Content-Range"] =
                "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(body.count)"
            response.body = Interaction.Body(body.data[positions], chunks: body.arrivals(in: range))
        case .unsatisfiable:
            (response.status, response.statusText) = (416, "Range Not Satisfiable")
            response.headers["Content-Range"] = "bytes */\(body.count)"
            for name in ["Content-Type", "Transfer-Encoding"] { response.headers.removeAll(named: name) }
            response.body = Interaction.Body()
        }
        if response.headers["Transfer-Encoding"] == nil {
            response.headers["Content-Length"] = "\(response.body.count)"
        }
        return response
    }
}

extension Interaction.Body {
    /// The chunks, or the parts of them, that are in a range.
    fileprivate func arrivals(in range: ByteRange) -> [Chunk] {
        guard case .part(let positions) = range else { return [] }
        var position = 0
        return chunks.compactMap { chunk in
            defer { position += chunk.count }
            let common = positions.clamped(to: position..<position + chunk.count)
            return common.isEmpty ? nil : Chunk(offset: chunk.offset, count: common.count)
        }
    }
}
