/// The rules of `Set-Cookie`, the one header field that must not be joined by commas (RFC 6265 section 3).
package enum SetCookie {
    /// Splits a value in which a platform joined several cookies with commas.
    ///
    /// A comma begins a new cookie only where a name and an equals sign follow it, so the one in
    /// `Expires=Thu, 01 Jan 1970` stays.
    package static func split(_ joined: String) -> [String] {
        var cookies: [String] = []
        var start = joined.startIndex
        var position = joined.startIndex
        while let comma = joined[position...].firstIndex(of: ",") {
            position = joined.index(after: comma)
            if beginsCookie(joined[position...]) {
                cookies.append(joined[start..<comma].trimmingSpaces())
                start = position
            }
        }
        cookies.append(joined[start...].trimmingSpaces())
        return cookies
    }

    /// Whether Foundation on Linux can be given a cookie.
    ///
    /// `HTTPCookie` of Swift 6.3.1 counts the UTF-16 units before an equals sign, goes as many characters on, and ends the
    /// process where there are fewer: `😀=` is enough.
    package static func isReadable(_ cookie: String) -> Bool {
        guard let equals = cookie.utf8.lastIndex(of: UInt8(ascii: "=")) else { return true }
        let names = cookie[..<equals]
        return names.count == names.utf16.count
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        let text = text.drop { $0 == " " || $0 == "\t" }
        guard let end = text.firstIndex(where: { "=;, \t\"".contains($0) }) else { return false }
        return text[end] == "=" && end != text.startIndex
    }
}
