extension HeaderList {
    /// Reads the header lines of a part (RFC 5322 section 2.2); a line that begins with a space continues one.
    ///
    /// Lines that are not UTF-8 are read as ISO 8859-1, so that no byte is lost.
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
