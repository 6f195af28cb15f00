import Foundation

extension Request {
    /// Edits the bytes of the body, where there is one, and keeps a length true that was true.
    mutating func editBody(_ edit: (Data) -> Data) {
        guard let body else { return }
        let edited = body.edited(edit)
        headers.adjustLength(from: body.count, to: edited.count)
        self.body = edited
    }
}

extension Response {
    /// Edits the bytes of the body, and keeps a length true that was true.
    mutating func editBody(_ edit: (Data) -> Data) {
        let edited = body.edited(edit)
        headers.adjustLength(from: body.count, to: edited.count)
        body = edited
    }
}

extension Body {
    /// The body after an edit of its bytes, in pieces as it was.
    fileprivate func edited(_ edit: (Data) -> Data) -> Body {
        let new = edit(data)
        guard new != data else { return self }
        guard !chunks.isEmpty else { return Body(new) }
        let pieces = pieces.map { edit(Data($0)) }
        let counts =
            pieces.reduce(0) { $0 + $1.count } == new.count && Data(pieces.joined()) == new
            ? pieces.map(\.count) : scaledCounts(to: new.count)
        let edited = zip(chunks, counts).filter { $1 > 0 }.map { Chunk(offset: $0.offset, count: $1) }
        return Body(new, chunks: edited)
    }

    /// Where a secret lies across pieces, their sizes can only be kept in proportion.
    private func scaledCounts(to total: Int) -> [Int] {
        var end = 0
        var previous = 0
        return chunks.map { chunk in
            end += chunk.count
            let place = Int((Double(end) / Double(max(1, count)) * Double(total)).rounded())
            defer { previous = place }
            return place - previous
        }
    }
}

extension HeaderList {
    /// Keeps a length true that was true.
    fileprivate mutating func adjustLength(from old: Int, to new: Int) {
        guard old != new, self["Content-Length"] == String(old) else { return }
        self["Content-Length"] = String(new)
    }
}
