import Foundation

extension SecretEditor {
    /// Redacts the columns of comma-separated values (RFC 4180) whose name in the first line is secret.
    func columnEdits(in bytes: UnsafeRawBufferPointer, at place: String) -> [ByteEdit] {
        let lines = bytes.split(separator: 0x0A)
        guard let first = lines.first, lines.count > 1 else { return [] }
        let separator = Self.separators.max { left, right in
            first.count { $0 == left } < first.count { $0 == right }
        }
        guard let separator, first.contains(separator) else { return [] }
        let names = cells(of: first, in: bytes, separator).map { String(decoding: bytes[$0], as: UTF8.self) }
        let fields = names.map { name in
            SecretField(
                name: name,
                meaning: rules.meaning(ofField: name, host: host),
                isMachineText: message == .request
            )
        }
        guard fields.contains(where: { $0.meaning != nil }) else { return [] }
        return lines.dropFirst().flatMap { line -> [ByteEdit] in
            zip(cells(of: line, in: bytes, separator), fields).flatMap { cell, field -> [ByteEdit] in
                guard field.meaning != nil else { return [] }
                let path = { "\(place) column \(field.name)" }
                return edits(of: cell, in: bytes, escapedBy: nil, field, at: path, depth: 1)
            }
        }
    }

    private static let separators = Array(",;\t".utf8)

    /// The cells of a line, without the quotes around them.
    private func cells(
        of line: Slice<UnsafeRawBufferPointer>,
        in bytes: UnsafeRawBufferPointer,
        _ separator: UInt8
    ) -> [Range<Int>] {
        var cells: [Range<Int>] = []
        var (start, position) = (line.startIndex, line.startIndex)
        let end = line.last == 0x0D ? line.endIndex - 1 : line.endIndex
        while position <= end {
            if position < end, bytes[position] == UInt8(ascii: "\""), position == start {
                position += 1
                while position < end, bytes[position] != UInt8(ascii: "\"") { position += 1 }
            } else if position == end || bytes[position] == separator {
                let isQuoted = position - start > 1 && bytes[start] == UInt8(ascii: "\"")
                cells.append(isQuoted ? start + 1..<position - 1 : start..<position)
                start = position + 1
            }
            position += 1
        }
        return cells
    }
}
