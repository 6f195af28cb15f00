import Foundation

/// The name of a file that holds a body: `003-GET-avatar.png`, or `007-POST-avatars-request.png`.
///
/// It has letters and digits of ASCII, hyphens, underscores and one dot, so that every file system takes it.
package struct BodyFileName {
    /// Which of the two messages of an interaction the body is of.
    enum Message {
        case request
        case response
    }

    private let start: String
    private let subject: String
    private let end: String
    private let fileExtension: String

    /// Names the body of an interaction of a number, counted from one.
    init(_ number: Int, _ message: Message, of request: Request, mediaType: String?) {
        let digits = String(number)
        let padding = String(repeating: "0", count: max(0, 3 - digits.count))
        start = ([padding + digits] + [Self.safe(request.method, limit: 16)].filter { !$0.isEmpty })
            .joined(separator: "-")
        let component = URLParts(request.url).path.split(separator: "/").last.map(String.init) ?? ""
        let decoded = PercentDecoding.decoded(component) ?? component
        subject = Self.safe((decoded as NSString).deletingPathExtension, limit: 40)
        end = message == .request ? "-request" : ""
        fileExtension = Self.fileExtension(of: mediaType)
    }

    /// The names to choose from, the best first: some may be taken, or may not be told.
    var candidates: [String] {
        [subject, ""].flatMap { subject in
            (1...99).map { copy in
                start + (subject.isEmpty ? "" : "-" + subject) + end + (copy > 1 ? "-\(copy)" : "") + "."
                    + fileExtension
            }
        }
    }

    /// Whether a file's name is such a name.
    package static func isOne(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy(isLetterOrDigit) else { return false }
        let digits = parts[0].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let rest = parts[0].dropFirst(digits.count)
        return digits.count >= 3 && (rest.isEmpty || rest.first == hyphen)
            && rest.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
    }

    private static func safe(_ text: String, limit: Int) -> String {
        let words = text.utf8.split { !isLetterOrDigit($0) }
        let joined = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(limit)
        return joined.last == "-" ? String(joined.dropLast()) : String(joined)
    }

    private static let hyphen = UInt8(ascii: "-")

    /// Whether a byte is a letter or digit of ASCII, or the underscore of names.
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension BodyFileName {
    private static func fileExtension(of mediaType: String?) -> String {
        guard let essence = MediaType(mediaType)?.essence else { return "bin" }
        if let known = fileExtensions[essence] { return known }
        if essence.hasSuffix("+json") { return "json" }
        if essence.hasSuffix("+xml") { return "xml" }
        return essence.hasPrefix("text/") ? "txt" : "bin"
    }

    private static let fileExtensions = [
        "application/gzip": "gz", "application/javascript": "js", "application/json": "json",
        "application/pdf": "pdf", "application/wasm": "wasm", "application/xml": "xml",
        "application/zip": "zip", "audio/mpeg": "mp3", "audio/wav": "wav", "font/woff2": "woff2",
        "image/avif": "avif", "image/gif": "gif", "image/heic": "heic", "image/jpeg": "jpg",
        "image/png": "png", "image/svg+xml": "svg", "image/webp": "webp", "text/css": "css",
        "text/csv": "csv", "text/html": "html", "text/javascript": "js", "text/xml": "xml",
        "video/mp4": "mp4",
    ]
}
