import Rewind

extension HeaderList.Field {
    /// Reads one field line (RFC 9112 section 5).
    ///
    /// Octets beyond ASCII are read as UTF-8, and as ISO 8859-1, HTTP's old default, where they are not.
    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if line.first?.isOptionalWhitespace == true { throw .foldedField }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedFieldName }
        let octets = line[..<colon]
        if octets.last?.isOptionalWhitespace == true { throw .whitespaceBeforeColon }
        guard octets.isToken else { throw .malformedFieldName }

        let name = String(decoding: octets, as: UTF8.self)
        let value = line[(colon + 1)...]
        guard value.allSatisfy(\.isFieldContent) else { throw .malformedFieldValue(name: name) }
        self.init(name: name, value: String(Self.text(of: value).withoutOuterWhitespace))
    }

    private static func text(of octets: ArraySlice<UInt8>) -> Substring {
        let text = String(decoding: octets, as: UTF8.self)
        if text.utf8.elementsEqual(octets) { return text[...] }
        return Substring(String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) })))
    }
}
