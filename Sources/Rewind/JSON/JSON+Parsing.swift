import Foundation

extension JSON {
    /// Parses a whole text by the letter of RFC 8259, in UTF-8 with or without a byte order mark.
    ///
    /// Only one thing is read more kindly: an escaped half of a surrogate pair, such as `\ud800`, becomes
    /// U+FFFD, since browsers export such halves.
    package init(parsing data: Data, limits: JSONLimits = .default) throws(JSONError) {
        self = try data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                var parser = JSONParser(bytes, limits: limits)
                return try parser.document()
            }
        }.get()
    }
}
